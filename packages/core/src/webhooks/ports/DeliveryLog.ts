import { Context, type Effect, type Option } from "effect";
import type { EventType } from "../../events/index.ts";
import type { StoreUnavailable } from "../../shared/index.ts";
import type { Attempt, DeliveredEvent, Delivery, DeliveryState } from "../Delivery.ts";
import type { Endpoint } from "../Endpoint.ts";

/** A delivery with all that was tried for it, first attempt first. */
export interface LoggedDelivery {
  readonly delivery: Delivery;
  readonly attempts: ReadonlyArray<Attempt>;
}

/** Which deliveries of an endpoint to read; those that are held are not `pending` here. */
export interface DeliveryFilter {
  readonly state?: DeliveryState | "held" | undefined;
  readonly type?: EventType | undefined;
  /** Older than the delivery of this id. */
  readonly before?: string | undefined;
}

/** Where an event is in the order of a replay: by time, then by position in the ledger. */
export type EventPlace = Pick<DeliveredEvent, "eventId" | "occurredAt" | "position">;

/** What was and is on its way to endpoints, to be read, resent and replayed (spec 7). */
export class DeliveryLog extends Context.Service<
  DeliveryLog,
  {
    /** Newest first. */
    readonly page: (
      endpoint: Endpoint,
      filter: DeliveryFilter,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<LoggedDelivery>, StoreUnavailable>;
    readonly find: (endpointId: string, id: string) => Effect.Effect<Option.Option<LoggedDelivery>, StoreUnavailable>;
    /** All that an endpoint has of these events. */
    readonly ofEvents: (
      endpointId: string,
      eventIds: ReadonlyArray<string>,
    ) => Effect.Effect<ReadonlyArray<Delivery>, StoreUnavailable>;
    /** Events from `since` to before `until` that have a delivery waiting or exhausted, oldest first. */
    readonly replayable: (
      endpointId: string,
      range: { readonly since: number; readonly until: number; readonly after: EventPlace | null },
      limit: number,
    ) => Effect.Effect<ReadonlyArray<EventPlace>, StoreUnavailable>;
    /** Puts waiting deliveries in place as a replay changed them, while the endpoint is locked; workers are woken. */
    readonly revise: (deliveries: ReadonlyArray<Delivery>) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/webhooks/ports/DeliveryLog") {}
