import { Context, type Effect, type Option } from "effect";
import type { MailEvent } from "../../events/index.ts";
import type { Lease, StoreUnavailable } from "../../shared/index.ts";
import type { Attempt, Delivery } from "../Delivery.ts";
import type { Endpoint } from "../Endpoint.ts";

/** A claimed delivery with the data needed to send it. */
export interface ClaimedDelivery {
  readonly delivery: Delivery;
  readonly endpoint: Endpoint;
  readonly event: MailEvent;
  /** The number of the next attempt, from 1. */
  readonly attempt: number;
}

/** A claim with its outcome. */
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
     * Inserts deliveries inside the transaction that appended their events; wakes workers after the commit. Skips a
     * delivery if one with the same event, endpoint and trigger exists.
     */
    readonly insert: (deliveries: ReadonlyArray<Delivery>) => Effect.Effect<void, StoreUnavailable>;
    /**
     * Claims deliveries that may be sent now (`findClaimable`); no two callers get the same delivery. A claim may serve
     * only some of the endpoints with due work and a free slot, the least recently served first. Each endpoint gets one
     * delivery before any endpoint gets a second one. An ordered endpoint gets the next delivery of each account, and
     * its accounts take turns. After a failed claim, the next claim serves fewer endpoints, in any order, so that no
     * endpoint can block the others.
     */
    readonly claim: (
      now: number,
      lease: Lease,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<ClaimedDelivery>, StoreUnavailable>;
    /** Renews claims; returns the ids of the deliveries still held. */
    readonly renew: (ids: ReadonlyArray<string>, lease: Lease) => Effect.Effect<ReadonlySet<string>, StoreUnavailable>;
    /** Releases claims that were not sent. The deliveries stay due as before, and no attempt is counted. */
    readonly release: (ids: ReadonlyArray<string>, token: string, now: number) => Effect.Effect<void, StoreUnavailable>;
    /**
     * Saves settled deliveries, each given once, with their attempts, and records the attempts in the endpoints
     * (`recordOutcomes`), in one transaction. Returns the ids of the deliveries whose claim was still held; the other
     * deliveries do not change.
     */
    readonly settle: (settlements: ReadonlyArray<SettledClaim>) => Effect.Effect<ReadonlySet<string>, StoreUnavailable>;
    /** Returns whether any lease has expired. Expired leases are rare, so `reap` is called only in this case. */
    readonly hasExpired: (now: number) => Effect.Effect<boolean, StoreUnavailable>;
    /** Replaces deliveries whose lease expired by the result of `decide`, and returns the new deliveries. */
    readonly reap: (
      now: number,
      decide: (delivery: Delivery) => Delivery,
    ) => Effect.Effect<ReadonlyArray<Delivery>, StoreUnavailable>;
    /** Returns the time at which a delivery can next be claimed or reclaimed. */
    readonly nextDue: Effect.Effect<Option.Option<number>, StoreUnavailable>;
    /**
     * Waits until this or another process may have made a delivery due earlier than `nextDue` returned. A signal
     * without a waiter is kept.
     */
    readonly changed: Effect.Effect<void>;
    /** Returns the number of due deliveries that are neither in flight nor held, counted up to 10,000. */
    readonly countBacklog: (now: number) => Effect.Effect<number, StoreUnavailable>;
  }
>()("@postern/core/webhooks/ports/DeliveryQueue") {}
