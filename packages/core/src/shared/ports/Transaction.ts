import { Context, type Effect } from "effect";
import type { StoreUnavailable } from "../StoreUnavailable.ts";

/** Makes several writes of the stores one (transactions). */
export class Transaction extends Context.Service<
  Transaction,
  {
    /**
     * Runs an effect whose writes are kept together or not at all: undone when it fails, dies or is interrupted. One
     * inside another is a savepoint. No network I/O inside.
     */
    readonly run: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StoreUnavailable, R>;
  }
>()("@postern/core/shared/ports/Transaction") {}
