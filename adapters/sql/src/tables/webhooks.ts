import type { Attempt, Delivery, Endpoint } from "@postern/core/webhooks";
import { columnsOf } from "./columns.ts";

/** The tables of `webhooks`. */
export interface WebhooksTables {
  readonly endpoint: EndpointRow;
  /** The entries of the reach of each endpoint of an application that is not removed. */
  readonly endpoint_reach: { readonly entry: string; readonly endpoint_id: string };
  readonly endpoint_secret: { readonly endpoint_id: string; readonly sealed: string };
  readonly delivery: DeliveryRow;
  readonly attempt: AttemptRow;
}

/** The columns of an endpoint's fields, without its owner and its events, which are written separately. */
export const ENDPOINT = columnsOf<Endpoint>()({
  id: "text",
  url: "text",
  description: "text",
  state: "text",
  disabledAt: "bigint",
  disabledReason: "text",
  generation: "bigint",
  maxInFlight: "bigint",
  ordered: "flag",
  disablePolicy: "text",
  honourRetryAfter: "flag",
  createdAt: "bigint",
  updatedAt: "bigint",
  lastSuccessAt: "bigint",
  lastDeliveryAt: "bigint",
  lastStatus: "bigint",
  consecutiveFailures: "bigint",
});

export interface EndpointRow extends ReturnType<typeof ENDPOINT.rowOf> {
  /** The account; null for the endpoint of an application. */
  readonly account: string | null;
  /** The application; null for the endpoint of an account. */
  readonly application: string | null;
  /** The reach of an application's endpoint as a JSON array; null for all accounts. */
  readonly reach: string | null;
  readonly notify: string | null;
  /** The events as a JSON array. */
  readonly events: string;
  /** The ids of the folders as a JSON array; null for only INBOX. */
  readonly folders: string | null;
  /** The time at which a claim last took a delivery of the endpoint; null if never. */
  readonly last_claimed_at: number | null;
  /** The delivery that a claim last took; null if none. An ordered endpoint first serves the accounts after the account of this delivery. */
  readonly last_claimed_id: string | null;
  /** The time at which the endpoint was removed. Its rows are then hidden until they are erased. */
  readonly removed_at: number | null;
}

/** The columns of a delivery. The columns of its event are copies. */
export const DELIVERY = columnsOf<Delivery>()({
  id: "text",
  eventId: "text",
  endpointId: "text",
  trigger: "text",
  account: "text",
  type: "text",
  occurredAt: "bigint",
  position: "bigint",
  generation: "bigint",
  state: "text",
  step: "bigint",
  dueAt: "bigint",
  firstAttemptAt: "bigint",
  leaseUntil: "bigint",
  leaseToken: "text",
  lostClaims: "bigint",
});

export interface DeliveryRow extends ReturnType<typeof DELIVERY.rowOf> {}

export const ATTEMPT = columnsOf<Attempt>()({
  deliveryId: "text",
  n: "bigint",
  startedAt: "bigint",
  ms: "bigint",
  status: "bigint",
  errorCode: "text",
  excerpt: "text",
  remoteIp: "text",
  headers: "text",
});

export interface AttemptRow extends ReturnType<typeof ATTEMPT.rowOf> {}
