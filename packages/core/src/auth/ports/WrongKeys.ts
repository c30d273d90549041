import { Context, type Effect } from "effect";
import type { StoreUnavailable } from "../../shared/index.ts";
import type { WrongKeyVerdict } from "../wrong-keys.ts";

/** Records wrong keys by network, for all processes together. */
export class WrongKeys extends Context.Service<
  WrongKeys,
  {
    /**
     * Decides about a wrong key from the times of earlier wrong keys of its network, recorded after `since`. Records
     * the key if the verdict is `Count`. Both happen atomically: of two concurrent wrong keys from one network, the
     * later one sees the earlier one.
     */
    readonly judge: (
      wrong: { readonly id: string; readonly network: string; readonly at: number },
      since: number,
      verdictOf: (earlier: ReadonlyArray<number>) => WrongKeyVerdict,
    ) => Effect.Effect<WrongKeyVerdict, StoreUnavailable>;
    /** Removes wrong keys recorded before a time (epoch milliseconds). */
    readonly removeOld: (before: number) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/auth/ports/WrongKeys") {}
