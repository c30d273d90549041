import { Context, Layer } from "effect";

/** Maximum number of requests in flight per account or session (spec 8), and per service key (spec 10.2). */
export const ACCOUNT_SHARE = 64;
export const KEY_SHARE = 256;

/** Counts the requests in flight of each holder, so that one holder cannot use up the capacity of all. */
export class RequestShares extends Context.Service<
  RequestShares,
  {
    /** Counts a request. Returns false, without counting it, if the holder has reached its share. */
    readonly enter: (holder: string, share?: number) => boolean;
    /** Ends a counted request. */
    readonly leave: (holder: string) => void;
  }
>()("@postern/http-api/RequestShares") {
  static readonly layer = Layer.sync(RequestShares, () => {
    const counts = new Map<string, number>();
    return {
      enter: (holder, share = ACCOUNT_SHARE) => {
        const count = counts.get(holder) ?? 0;
        if (count >= share) return false;
        counts.set(holder, count + 1);
        return true;
      },
      leave: (holder) => {
        const count = counts.get(holder) ?? 0;
        if (count > 1) counts.set(holder, count - 1);
        else counts.delete(holder);
      },
    };
  });
}
