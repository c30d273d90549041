import type { EventType } from "../events/index.ts";
import type { DeliveryErrorCode } from "./DeliveryOutcome.ts";

/** Why a delivery exists; with the event and the endpoint it is unique. A resend has one attempt and no ladder. */
export type DeliveryTrigger = "event" | `replay:${string}` | `resend:${string}`;

export type DeliveryState = "pending" | "in_flight" | "succeeded" | "exhausted" | "cancelled";

/** What a delivery keeps of its event. */
export interface DeliveredEvent {
  readonly eventId: string;
  readonly type: EventType;
  /** Epoch milliseconds. */
  readonly occurredAt: number;
  /** Its position in the ledger: the order of an ordered endpoint. */
  readonly position: number;
}

/** One event on its way to one endpoint (spec 7). Times are epoch milliseconds. */
export interface Delivery extends DeliveredEvent {
  /** Later deliveries of an endpoint have greater ids. */
  readonly id: string;
  readonly endpointId: string;
  /** The endpoint's when it was published; pending and different from the endpoint's now means held. */
  readonly generation: number;
  readonly trigger: DeliveryTrigger;
  readonly state: DeliveryState;
  /** Failed attempts so far. */
  readonly step: number;
  readonly dueAt: number;
  readonly firstAttemptAt: number | null;
  readonly leaseUntil: number | null;
  /** The token a worker has to show to settle the delivery. */
  readonly leaseToken: string | null;
  /** Claims in a row whose worker was never heard of again. */
  readonly lostClaims: number;
}

/** One POST that was made, for the delivery log. */
export interface Attempt {
  readonly deliveryId: string;
  /** From 1. */
  readonly n: number;
  readonly startedAt: number;
  readonly ms: number;
  readonly status: number | null;
  readonly errorCode: DeliveryErrorCode | null;
  readonly excerpt: string;
  readonly remoteIp: string | null;
}
