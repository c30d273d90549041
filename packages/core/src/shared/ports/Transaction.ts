import { Context, type Effect } from "effect";
import type { StoreUnavailable } from "../StoreUnavailable.ts";

/** Runs several writes of the stores in one transaction. */
export class Transaction extends Context.Service<
  Transaction,
  {
    /**
     * Runs an effect in a transaction, which is rolled back if the effect fails, dies or is interrupted. A nested call
     * is a savepoint. The effect must not do network I/O.
     */
    readonly run: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StoreUnavailable, R>;
  }
>()("@postern/core/shared/ports/Transaction") {}
