import { Context, type Effect, type Option, type Scope } from "effect";
import type { AccountId, StoreUnavailable } from "../../shared/index.ts";
import type { MailEvent } from "../MailEvent.ts";

/** An event and its place among those of its account: places only grow, and none below one that was read comes later. */
export interface LedgerEntry {
  readonly position: number;
  readonly event: MailEvent;
}

/** Everything that happened, in rows that commit with what made it happen (spec 7). */
export class EventLedger extends Context.Service<
  EventLedger,
  {
    /**
     * Inside the transaction of the state they tell of; `EventPublisher` does it. Answers with those it did not have
     * yet, by their ids, in the order given.
     */
    readonly append: (events: ReadonlyArray<MailEvent>) => Effect.Effect<ReadonlyArray<LedgerEntry>, StoreUnavailable>;
    /** Those of these events that are kept, in any order. */
    readonly find: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<MailEvent>, StoreUnavailable>;
    /** The events of an account, in the order of their positions. */
    readonly list: (account: AccountId) => Effect.Effect<ReadonlyArray<MailEvent>, StoreUnavailable>;
    /**
     * Erases at most so many events that happened before then, oldest first, or at most so many of their deliveries with
     * what was tried of those; false once none is left.
     */
    readonly forget: (before: number, limit: number) => Effect.Effect<boolean, StoreUnavailable>;
    /** The next events of an account after a position, at most so many. */
    readonly after: (
      account: AccountId,
      position: number,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<LedgerEntry>, StoreUnavailable>;
    /** Where an event of the account is; none where it is not kept, or none of its own. */
    readonly positionOf: (account: AccountId, id: string) => Effect.Effect<Option.Option<number>, StoreUnavailable>;
    /** The position of the last event of an account, kept or not; 0 before the first. */
    readonly lastPosition: (account: AccountId) => Effect.Effect<number, StoreUnavailable>;
    /**
     * For somebody who reads along, as long as the scope lasts: what it answers with waits until there may be events
     * appended since it was last waited for. It may miss those of another process for up to 5 seconds.
     */
    readonly appended: (account: AccountId) => Effect.Effect<Effect.Effect<void>, never, Scope.Scope>;
    /** Erases at most so many rows of an account; false once none is left. */
    readonly erase: (account: AccountId, limit: number) => Effect.Effect<boolean, StoreUnavailable>;
  }
>()("@postern/core/events/ports/EventLedger") {}
