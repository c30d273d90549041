import { Context, type Effect, type Option } from "effect";
import type { AccountId } from "../../shared/AccountId.ts";
import type { MessageRef } from "../../shared/ports/OpaqueIds.ts";
import type { StoreUnavailable } from "../../shared/StoreUnavailable.ts";

/** A message that has another place than its id says. */
export interface Move {
  readonly from: MessageRef;
  readonly to: MessageRef;
}

/** Remembers where messages went that we moved, so that ids from before still find them (decisions 5). */
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
    readonly erase: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
    /** Forgets moves made before a time, of all accounts. */
    readonly removeOld: (before: number) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/messages/MovedMessages") {}
