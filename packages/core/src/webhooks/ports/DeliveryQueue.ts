import { Context, type Effect, type Option } from "effect";
import type { MailEvent } from "../../events/index.ts";
import type { Lease, StoreUnavailable } from "../../shared/index.ts";
import type { Attempt, Delivery } from "../Delivery.ts";
import type { Endpoint } from "../Endpoint.ts";

/** A delivery in somebody's hands, with what is needed to send it. */
export interface ClaimedDelivery {
  readonly delivery: Delivery;
  readonly endpoint: Endpoint;
  readonly event: MailEvent;
  /** The attempt to be made, from 1. */
  readonly attempt: number;
}

/** What came of a claim. */
export interface SettledClaim {
  readonly delivery: Delivery;
  readonly token: string;
  readonly attempt: Attempt;
}

/** The queue of deliveries (spec 7). Only the holder of a claim's token may settle it. */
export class DeliveryQueue extends Context.Service<
  DeliveryQueue,
  {
    /**
     * Deliveries of events that are in the ledger, inside the transaction that appended them; workers are woken after
     * it. One that is there already for (event, endpoint, trigger) is left as it is.
     */
    readonly insert: (deliveries: ReadonlyArray<Delivery>) => Effect.Effect<void, StoreUnavailable>;
    /**
     * Leases what may be sent now (`claimable`), each to one claimer alone. No endpoint gets a second before every one
     * with due work and room has a first; least recently served endpoints first.
     */
    readonly claim: (
      now: number,
      lease: Lease,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<ClaimedDelivery>, StoreUnavailable>;
    /** Holds on to claims until then; answers with the ids of those that are not lost. */
    readonly renew: (ids: ReadonlyArray<string>, lease: Lease) => Effect.Effect<ReadonlySet<string>, StoreUnavailable>;
    /** Gives claims back that were not sent, due as they were and with nothing counted. */
    readonly release: (ids: ReadonlyArray<string>, token: string, now: number) => Effect.Effect<void, StoreUnavailable>;
    /** Saves settled deliveries with their attempts; answers with the ids of those whose claim still held. */
    readonly settle: (settlements: ReadonlyArray<SettledClaim>) => Effect.Effect<ReadonlySet<string>, StoreUnavailable>;
    /** Takes back what was claimed and whose lease ran out, as `decide` says; answers with what it said. */
    readonly reap: (
      now: number,
      decide: (delivery: Delivery) => Delivery,
    ) => Effect.Effect<ReadonlyArray<Delivery>, StoreUnavailable>;
    /** When to look again: the next time something may be claimed or reaped. */
    readonly nextDue: Effect.Effect<Option.Option<number>, StoreUnavailable>;
    /** Waits until something may be due earlier than was said, here or in another process; kept until one waits. */
    readonly changed: Effect.Effect<void>;
    /** Deliveries that are due and not in flight, held ones apart, up to 10,000: how far behind the workers are. */
    readonly backlog: (now: number) => Effect.Effect<number, StoreUnavailable>;
  }
>()("@postern/core/webhooks/ports/DeliveryQueue") {}
