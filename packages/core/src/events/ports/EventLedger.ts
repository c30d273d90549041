import { Context, type Effect, type Option, type Scope } from "effect";
import type { AccountId, StoreUnavailable } from "../../shared/index.ts";
import type { EventType } from "../event-types.ts";
import type { MailEvent } from "../MailEvent.ts";

/**
 * An event and its position in its account. Positions grow in commit order: once a position was read, no event with a
 * smaller position appears.
 */
export interface LedgerEntry {
  readonly position: number;
  readonly event: MailEvent;
}

/** The state of the feed of all accounts. The feed numbers their events in one sequence, which keeps the commit order of each account. */
export interface EventFeed {
  /** The name of the numbering; a restored database gets another name. */
  readonly epoch: string;
  /** The number of the last event; 0 before the first. */
  readonly last: number;
  /** The number of the last event that was deleted because of its age; 0 before the first. */
  readonly forgotten: number;
}

/** A filter for events; without `accounts` or `types`, it matches all. */
export interface EventFilter {
  readonly accounts?: ReadonlyArray<AccountId> | undefined;
  readonly types?: ReadonlyArray<EventType> | undefined;
}

/** The store of events, written in the transaction of the change that each event reports (spec 7). */
export class EventLedger extends Context.Service<
  EventLedger,
  {
    /**
     * Appends events in the transaction of the changes that they report. Only `EventPublisher` calls this function.
     * Returns the events whose ids were not in the ledger, in the given order.
     */
    readonly append: (events: ReadonlyArray<MailEvent>) => Effect.Effect<ReadonlyArray<LedgerEntry>, StoreUnavailable>;
    /** Returns the events with these ids that are still kept, in any order. */
    readonly find: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<MailEvent>, StoreUnavailable>;
    /** Returns the events of an account, ordered by position. */
    readonly list: (account: AccountId) => Effect.Effect<ReadonlyArray<MailEvent>, StoreUnavailable>;
    /**
     * Deletes up to `limit` of the oldest events before `before`, or up to `limit` of their deliveries with attempts;
     * false once none is left.
     */
    readonly forget: (before: number, limit: number) => Effect.Effect<boolean, StoreUnavailable>;
    /** Returns up to `limit` events of an account after a position. */
    readonly after: (
      account: AccountId,
      position: number,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<LedgerEntry>, StoreUnavailable>;
    /** Assigns a number in the feed to every committed event without one. Afterwards, no new event gets a number up to `last`. */
    readonly numberEvents: Effect.Effect<EventFeed, StoreUnavailable>;
    /** Returns up to `limit` events that match a filter, after a number of the feed, with their numbers. */
    readonly listNumbered: (
      after: number,
      filter: EventFilter,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<LedgerEntry>, StoreUnavailable>;
    /**
     * Returns the number of an event in the feed. If the event is no longer kept, returns a number before every
     * event that occurred at most ten minutes earlier, or later.
     */
    readonly numberOf: (event: Pick<MailEvent, "id" | "occurredAt">) => Effect.Effect<number, StoreUnavailable>;
    /** Returns the position of an event; none if it is not kept or belongs to another account. */
    readonly positionOf: (account: AccountId, id: string) => Effect.Effect<Option.Option<number>, StoreUnavailable>;
    /** Returns the newest event of an account that is still kept. */
    readonly newest: (account: AccountId) => Effect.Effect<Option.Option<LedgerEntry>, StoreUnavailable>;
    /** Returns the position of the account's last event, even if no longer kept; 0 before the first. */
    readonly lastPosition: (account: AccountId) => Effect.Effect<number, StoreUnavailable>;
    /**
     * Returns an effect that waits until events of an account (of any account if null) may have been appended since the
     * effect last completed. The effect may run while the scope is open, and may notice events of another process up to
     * 5 seconds late.
     */
    readonly watchAppends: (account: AccountId | null) => Effect.Effect<Effect.Effect<void>, never, Scope.Scope>;
    /** Erases up to `limit` rows of an account; false once none is left. */
    readonly erase: (account: AccountId, limit: number) => Effect.Effect<boolean, StoreUnavailable>;
  }
>()("@postern/core/events/ports/EventLedger") {}
