import { Context, type Effect, type Option } from "effect";
import type { EventType } from "../../events/index.ts";
import type { StoreUnavailable } from "../../shared/index.ts";
import type { Attempt, DeliveredEvent, Delivery, DeliveryState } from "../Delivery.ts";
import type { Endpoint } from "../Endpoint.ts";

/** A delivery with its attempts, first attempt first. */
export interface LoggedDelivery {
  readonly delivery: Delivery;
  readonly attempts: ReadonlyArray<Attempt>;
}

/** A filter for deliveries of an endpoint; held deliveries do not count as `pending`. */
export interface DeliveryFilter {
  readonly state?: DeliveryState | "held" | undefined;
  readonly type?: EventType | undefined;
  /** Only deliveries older than the delivery with this id match. */
  readonly before?: string | undefined;
}

/** The position of an event in a replay: by time, then by position in the ledger of its account, then by id. */
export type EventPlace = Pick<DeliveredEvent, "eventId" | "occurredAt" | "position">;

/** Reads the deliveries of endpoints, past and pending, and changes them for a replay (spec 7). */
export class DeliveryLog extends Context.Service<
  DeliveryLog,
  {
    /** Lists deliveries, newest first. */
    readonly page: (
      endpoint: Endpoint,
      filter: DeliveryFilter,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<LoggedDelivery>, StoreUnavailable>;
    readonly find: (endpointId: string, id: string) => Effect.Effect<Option.Option<LoggedDelivery>, StoreUnavailable>;
    /** Returns the endpoint's deliveries of these events. */
    readonly ofEvents: (
      endpointId: string,
      eventIds: ReadonlyArray<string>,
    ) => Effect.Effect<ReadonlyArray<Delivery>, StoreUnavailable>;
    /** Lists events from `since` to before `until` that have a pending or exhausted delivery, oldest first. */
    readonly listReplayable: (
      endpointId: string,
      range: { readonly since: number; readonly until: number; readonly after: EventPlace | null },
      limit: number,
    ) => Effect.Effect<ReadonlyArray<EventPlace>, StoreUnavailable>;
    /** Saves pending deliveries that a replay changed, while the endpoint is locked. Wakes workers. */
    readonly revise: (deliveries: ReadonlyArray<Delivery>) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/webhooks/ports/DeliveryLog") {}
