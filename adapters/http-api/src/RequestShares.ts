import { Context, Layer } from "effect";

/** Requests of one account that may be under way at once (spec 8). */
export const ACCOUNT_SHARE = 64;

/** How many requests each holder has under way, so that one alone cannot use up what all share. */
export class RequestShares extends Context.Service<
  RequestShares,
  {
    /** Counts a request of a holder; false, and not counted, where it has its share already. */
    readonly enter: (holder: string) => boolean;
    /** Ends a request that was counted. */
    readonly leave: (holder: string) => void;
  }
>()("@postern/http-api/RequestShares") {
  static readonly layer = Layer.sync(RequestShares, () => {
    const counts = new Map<string, number>();
    return {
      enter: (holder) => {
        const count = counts.get(holder) ?? 0;
        if (count >= ACCOUNT_SHARE) return false;
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
