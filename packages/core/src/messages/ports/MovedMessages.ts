import { Context, type Effect, type Option } from "effect";
import type { AccountId, MessageRef, StoreUnavailable } from "../../shared/index.ts";

/** The former location of a moved message, which its earlier id encodes, and the new location. */
export interface Move {
  readonly from: MessageRef;
  readonly to: MessageRef;
}

/** The store of moves that Postern made, so that earlier ids still find their messages (spec 5). */
export class MovedMessages extends Context.Service<
  MovedMessages,
  {
    /** Records moves; a later move from the same location replaces the earlier one. `movedAt` is epoch milliseconds. */
    readonly record: (
      account: AccountId,
      moves: ReadonlyArray<Move>,
      movedAt: number,
    ) => Effect.Effect<void, StoreUnavailable>;
    readonly find: (account: AccountId, from: MessageRef) => Effect.Effect<Option.Option<MessageRef>, StoreUnavailable>;
    /** Erases up to `limit` rows of an account; false once none is left. */
    readonly erase: (account: AccountId, limit: number) => Effect.Effect<boolean, StoreUnavailable>;
    /** Deletes up to `limit` moves made before `before` (epoch ms), of all accounts; false once none is left. */
    readonly removeOld: (before: number, limit: number) => Effect.Effect<boolean, StoreUnavailable>;
  }
>()("@postern/core/messages/ports/MovedMessages") {}
