import { Context, type Effect } from "effect";
import type { AccountId } from "../../shared/AccountId.ts";
import type { StoreUnavailable } from "../../shared/StoreUnavailable.ts";
import type { MailEvent } from "../MailEvent.ts";

/** Everything that happened, in rows that commit with what made it happen (decisions 7). */
export class EventLedger extends Context.Service<
  EventLedger,
  {
    /** Inside the transaction of the state they tell of; `EventPublisher` does it. */
    readonly append: (events: ReadonlyArray<MailEvent>) => Effect.Effect<void, StoreUnavailable>;
    /** Those of these events that are kept, in any order. */
    readonly find: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<MailEvent>, StoreUnavailable>;
    /** The events of an account, in the order they were appended. */
    readonly list: (account: AccountId) => Effect.Effect<ReadonlyArray<MailEvent>, StoreUnavailable>;
    /** Forgets at most so many events that happened before then, with their deliveries; answers with how many. */
    readonly forget: (before: number, limit: number) => Effect.Effect<number, StoreUnavailable>;
    /** Forgets everything of an account. */
    readonly erase: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/events/EventLedger") {}
