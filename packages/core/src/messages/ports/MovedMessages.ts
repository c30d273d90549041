import { Context, type Effect, type Option } from "effect";
import type { AccountId, MessageRef, StoreUnavailable } from "../../shared/index.ts";

/** A message that has another place than its id says. */
export interface Move {
  readonly from: MessageRef;
  readonly to: MessageRef;
}

/** Remembers where messages went that we moved, so that ids from before still find them (spec 5). */
export class MovedMessages extends Context.Service<
  MovedMessages,
  {
    /** A move away from a place that is known replaces what was known. `movedAt` is epoch milliseconds. */
    readonly record: (
      account: AccountId,
      moves: ReadonlyArray<Move>,
      movedAt: number,
    ) => Effect.Effect<void, StoreUnavailable>;
    readonly find: (account: AccountId, from: MessageRef) => Effect.Effect<Option.Option<MessageRef>, StoreUnavailable>;
    /** Erases at most so many rows of an account; false once none is left. */
    readonly erase: (account: AccountId, limit: number) => Effect.Effect<boolean, StoreUnavailable>;
    /** Erases at most so many moves made before a time, of all accounts; false once none is left. */
    readonly removeOld: (before: number, limit: number) => Effect.Effect<boolean, StoreUnavailable>;
  }
>()("@postern/core/messages/ports/MovedMessages") {}
