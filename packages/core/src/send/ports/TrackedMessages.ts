import { Context, type Effect, type Option } from "effect";
import type { AccountId, StoreUnavailable } from "../../shared/index.ts";
import type { TrackedMessage } from "../opens.ts";

/** Messages whose openings are recorded (spec 7). */
export class TrackedMessages extends Context.Service<
  TrackedMessages,
  {
    /** In the transaction that journals the message. */
    readonly insert: (message: TrackedMessage) => Effect.Effect<void, StoreUnavailable>;
    /** The message of this picture; inside a transaction, locked until that ends. */
    readonly find: (id: string) => Effect.Effect<Option.Option<TrackedMessage>, StoreUnavailable>;
    readonly update: (message: TrackedMessage) => Effect.Effect<void, StoreUnavailable>;
    /** Forgets the pictures of these messages, by their Message-IDs. */
    readonly remove: (messageIds: ReadonlyArray<string>) => Effect.Effect<void, StoreUnavailable>;
    /** Erases at most so many rows of an account; false once none is left. */
    readonly erase: (account: AccountId, limit: number) => Effect.Effect<boolean, StoreUnavailable>;
  }
>()("@postern/core/send/ports/TrackedMessages") {}
