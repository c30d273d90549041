import { Context, type Effect } from "effect";
import type { StoreUnavailable } from "../../shared/index.ts";
import type { LedgerEntry } from "./EventLedger.ts";

/** A subscriber that must not miss an event: its writes commit with the events. */
export interface EventSubscriber {
  readonly name: string;
  /** Runs inside the transaction that appended the entries; a failure rolls that transaction back. */
  readonly onEvents: (entries: ReadonlyArray<LedgerEntry>) => Effect.Effect<void, StoreUnavailable>;
}

/** The subscribers that `EventPublisher` calls; may be empty. */
export class EventSubscribers extends Context.Service<EventSubscribers, ReadonlyArray<EventSubscriber>>()(
  "@postern/core/events/ports/EventSubscribers",
) {}
