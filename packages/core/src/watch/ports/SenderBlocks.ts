import { Context, type Effect } from "effect";
import type { AccountId, StoreUnavailable } from "../../shared/index.ts";
import type { SenderBlock } from "../SenderBlock.ts";

/** The store of blocked senders (spec 5.9). */
export class SenderBlocks extends Context.Service<
  SenderBlocks,
  {
    /** Returns the blocks of an account, oldest first. */
    readonly list: (account: AccountId) => Effect.Effect<ReadonlyArray<SenderBlock>, StoreUnavailable>;
    /** Returns those of these addresses, as `addressKey` writes them, that the account blocks. */
    readonly findBlocked: (
      account: AccountId,
      keys: ReadonlyArray<string>,
    ) => Effect.Effect<ReadonlySet<string>, StoreUnavailable>;
    /** Inserts a block, unless the account blocks this address in any spelling; returns the block that is stored. */
    readonly insert: (block: SenderBlock) => Effect.Effect<SenderBlock, StoreUnavailable>;
    /** Deletes a block; false if the account does not have it. */
    readonly remove: (account: AccountId, id: string) => Effect.Effect<boolean, StoreUnavailable>;
    readonly erase: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/watch/ports/SenderBlocks") {}
