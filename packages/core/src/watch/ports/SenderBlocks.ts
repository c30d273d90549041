import { Context, type Effect, type Option } from "effect";
import type { AccountId, StoreUnavailable } from "../../shared/index.ts";
import type { SenderBlock } from "../SenderBlock.ts";

/** The store of blocked senders (spec 5.9). */
export class SenderBlocks extends Context.Service<
  SenderBlocks,
  {
    /** Returns the blocks of an account, oldest first. */
    readonly list: (account: AccountId) => Effect.Effect<ReadonlyArray<SenderBlock>, StoreUnavailable>;
    /** Returns the blocked ones of these addresses, which are in the form of `addressKey`. */
    readonly findBlocked: (
      account: AccountId,
      keys: ReadonlyArray<string>,
    ) => Effect.Effect<ReadonlySet<string>, StoreUnavailable>;
    /**
     * Inserts a block and returns it; if the account already blocks this address in any spelling, returns the existing
     * block. None if the account has `most` blocks of other addresses, also if calls are concurrent.
     */
    readonly insert: (block: SenderBlock, most: number) => Effect.Effect<Option.Option<SenderBlock>, StoreUnavailable>;
    /** Deletes a block; false if the account has no such block. */
    readonly remove: (account: AccountId, id: string) => Effect.Effect<boolean, StoreUnavailable>;
    readonly erase: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/watch/ports/SenderBlocks") {}
