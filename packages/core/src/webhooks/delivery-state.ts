import type { Lease } from "../shared/index.ts";
import type { Attempt, DeliveredEvent, Delivery, DeliveryTrigger } from "./Delivery.ts";
import { type DeliveryOutcome, isDelivered } from "./DeliveryOutcome.ts";
import type { Endpoint } from "./Endpoint.ts";
import { retryDelay } from "../shared/neighbours.ts";
import { type RetryLadder } from "../shared/index.ts";

/**
 * The number of consecutive lost claims that count as a failed attempt, so that an event that crashes its worker is not
 * claimed forever.
 */
export const MAX_LOST_CLAIMS = 5;

/** Returns a new delivery for an event, a replay or a resend: due at once, in the endpoint's generation. */
export const newDelivery = (
  id: string,
  { eventId, account, type, occurredAt, position }: DeliveredEvent,
  endpoint: Pick<Endpoint, "id" | "generation">,
  trigger: DeliveryTrigger,
  now: number,
): Delivery => ({
  id,
  eventId,
  account,
  type,
  occurredAt,
  position,
  endpointId: endpoint.id,
  generation: endpoint.generation,
  trigger,
  state: "pending",
  step: 0,
  dueAt: now,
  firstAttemptAt: null,
  leaseUntil: null,
  leaseToken: null,
  lostClaims: 0,
});

/**
 * Returns whether a pending delivery must not be sent, because its endpoint is disabled or was disabled after the event
 * was published. This state is derived and never stored.
 */
export const isHeld = (
  delivery: Pick<Delivery, "state" | "generation">,
  endpoint: Pick<Endpoint, "state" | "generation">,
): boolean =>
  delivery.state === "pending" && (endpoint.state !== "enabled" || delivery.generation !== endpoint.generation);

/** Returns whether a delivery is pending and not held. */
export const isCurrent = (delivery: Delivery, endpoint: Endpoint): boolean =>
  delivery.state === "pending" && !isHeld(delivery, endpoint);

/** Returns the delivery as claimed or renewed under a lease. */
export const claimDelivery = (delivery: Delivery, lease: Lease, now: number): Delivery => ({
  ...delivery,
  state: "in_flight",
  firstAttemptAt: delivery.firstAttemptAt ?? now,
  leaseToken: lease.token,
  leaseUntil: lease.until,
});

/** Returns whether this token still holds the claim and may settle the delivery. */
export const holdsLease = (delivery: Delivery, leaseToken: string): boolean =>
  delivery.state === "in_flight" && delivery.leaseToken === leaseToken;

/** The milliseconds until a delivery that could not be signed is tried again. The fault is in this service, not at the receiver. */
const UNSIGNED_PAUSE = 600_000;

/**
 * Returns the delivery after an attempt: succeeded, pending for the next step, or exhausted (spec 7.5). If the delivery
 * could not be signed, it stays pending at the same step.
 */
export const settleDelivery = (
  delivery: Delivery,
  endpoint: Pick<Endpoint, "honourRetryAfter">,
  outcome: DeliveryOutcome,
  endedAt: number,
  ladder: RetryLadder,
): Delivery => {
  const settled = { ...delivery, ...UNLEASED, lostClaims: 0 };
  if (isDelivered(outcome)) return { ...settled, state: "succeeded" };
  if (outcome.errorCode === "secret_unreadable")
    return { ...settled, state: "pending", dueAt: endedAt + UNSIGNED_PAUSE };
  return afterFailure(settled, endedAt, ladder, endpoint.honourRetryAfter ? outcome.retryAfter : null);
};

/** Returns a delivery whose lease expired: due again at the same step, or failed once it has lost too many claims. */
export const reapDelivery = (delivery: Delivery, now: number, ladder: RetryLadder): Delivery => {
  const reaped: Delivery = { ...delivery, ...UNLEASED, state: "pending", lostClaims: delivery.lostClaims + 1 };
  return reaped.lostClaims < MAX_LOST_CLAIMS ? reaped : afterFailure({ ...reaped, lostClaims: 0 }, now, ladder, null);
};

const UNLEASED = { leaseToken: null, leaseUntil: null } as const;

const afterFailure = (delivery: Delivery, endedAt: number, ladder: RetryLadder, asked: number | null): Delivery => {
  const step = delivery.step + 1;
  const delay = delivery.trigger.startsWith("resend:") ? undefined : retryDelay(ladder, delivery.step, asked);
  return delay === undefined
    ? { ...delivery, step, state: "exhausted" }
    : { ...delivery, step, state: "pending", dueAt: endedAt + delay };
};

/** Returns the entry of an attempt in the delivery log. */
export const attemptOf = (
  delivery: Delivery,
  n: number,
  startedAt: number,
  outcome: DeliveryOutcome,
  headers: Readonly<Record<string, string>> | null = null,
): Attempt => {
  const { ms, status, errorCode, excerpt, remoteIp } = outcome;
  const lines = Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`);
  // Without a connection nothing was sent.
  const sent = headers === null || remoteIp === null ? null : lines.join("\n");
  return { deliveryId: delivery.id, n, startedAt, ms, status, errorCode, excerpt, remoteIp, headers: sent };
};
