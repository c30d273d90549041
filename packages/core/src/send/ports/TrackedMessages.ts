import { Context, type Effect, type Option } from "effect";
import type { AccountId, StoreUnavailable } from "../../shared/index.ts";
import type { TrackedMessage } from "../opens/opens.ts";

/** The store of tracked messages (spec 7). */
export class TrackedMessages extends Context.Service<
  TrackedMessages,
  {
    /** Inserts a tracked message in the transaction that journals it. */
    readonly insert: (message: TrackedMessage) => Effect.Effect<void, StoreUnavailable>;
    /** Finds the message of an image; inside a transaction, locks it until the transaction ends. */
    readonly find: (id: string) => Effect.Effect<Option.Option<TrackedMessage>, StoreUnavailable>;
    readonly update: (message: TrackedMessage) => Effect.Effect<void, StoreUnavailable>;
    /** Deletes these tracked messages by Message-ID. */
    readonly remove: (messageIds: ReadonlyArray<string>) => Effect.Effect<void, StoreUnavailable>;
    /** Erases up to `limit` rows of an account; false once none is left. */
    readonly erase: (account: AccountId, limit: number) => Effect.Effect<boolean, StoreUnavailable>;
  }
>()("@postern/core/send/ports/TrackedMessages") {}
