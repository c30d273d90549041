import type { EventType } from "../events/index.ts";
import type { AccountId } from "../shared/index.ts";
import type { DeliveryErrorCode } from "./DeliveryOutcome.ts";

/** The origin of a delivery; unique together with the event and the endpoint. A resend has one attempt and no ladder. */
export type DeliveryTrigger = "event" | `replay:${string}` | `resend:${string}`;

export type DeliveryState = "pending" | "in_flight" | "succeeded" | "exhausted" | "cancelled";

/** The part of the event that a delivery stores. */
export interface DeliveredEvent {
  readonly eventId: string;
  /** The account in whose ledger the event is. */
  readonly account: AccountId;
  readonly type: EventType;
  /** Epoch milliseconds. */
  readonly occurredAt: number;
  /** The position in the ledger of the account. An ordered endpoint receives the account's events in this order. */
  readonly position: number;
}

/** One event for one endpoint (spec 7). Times are epoch milliseconds. */
export interface Delivery extends DeliveredEvent {
  /** The id of the delivery. Later deliveries of an endpoint have greater ids. */
  readonly id: string;
  readonly endpointId: string;
  /** The endpoint's generation when the event was published. A pending delivery is held if the endpoint has another generation by now. */
  readonly generation: number;
  readonly trigger: DeliveryTrigger;
  readonly state: DeliveryState;
  /** The number of failed attempts. */
  readonly step: number;
  readonly dueAt: number;
  readonly firstAttemptAt: number | null;
  readonly leaseUntil: number | null;
  /** The token that a worker needs to settle the delivery. */
  readonly leaseToken: string | null;
  /** The number of consecutive claims whose lease expired. */
  readonly lostClaims: number;
}

/** One POST in the delivery log. */
export interface Attempt {
  readonly deliveryId: string;
  /** The number of the attempt, from 1. */
  readonly n: number;
  readonly startedAt: number;
  readonly ms: number;
  readonly status: number | null;
  readonly errorCode: DeliveryErrorCode | null;
  readonly excerpt: string;
  readonly remoteIp: string | null;
  /** The headers that were sent, each as a line `Name: value`; null if nothing was sent, and for attempts of earlier releases. */
  readonly headers: string | null;
}
