import { Option } from "effect";
import type { Attempt, Delivery } from "./Delivery.ts";
import { isDelivered } from "./DeliveryOutcome.ts";
import type { DisabledNotice, DisabledReason, Endpoint } from "./Endpoint.ts";
import { type ChosenSettings, type EndpointSettings, settingsOf } from "./endpoint-settings.ts";
import type { EndpointOwner } from "./EndpointOwner.ts";

/** The maximum number of endpoints per account or application. Each event costs one delivery per endpoint. */
export const MAX_ENDPOINTS = 100;

/** Returns a new endpoint: enabled, in its first generation. */
export const newEndpoint = (id: string, owner: EndpointOwner, chosen: ChosenSettings, now: number): Endpoint => ({
  ...settingsOf(chosen, chosen.events),
  id,
  owner,
  state: "enabled",
  disabledAt: null,
  disabledReason: null,
  generation: 1,
  createdAt: now,
  updatedAt: now,
  lastSuccessAt: null,
  lastDeliveryAt: null,
  lastStatus: null,
  consecutiveFailures: 0,
});

/** Changes the settings. Deliveries that are already due use the new settings (spec 7). */
export const editEndpoint = (endpoint: Endpoint, changes: Partial<EndpointSettings>, now: number): Endpoint => ({
  ...endpoint,
  ...settingsOf({ ...endpoint, ...changes }, changes.events ?? endpoint.events),
  updatedAt: now,
});

/** Disables an endpoint, which holds its pending deliveries. Idempotent. */
export const disableEndpoint = (endpoint: Endpoint, reason: DisabledReason, now: number): Endpoint =>
  endpoint.state === "disabled"
    ? endpoint
    : {
        ...endpoint,
        state: "disabled",
        disabledAt: now,
        disabledReason: reason,
        generation: endpoint.generation + 1,
        updatedAt: now,
      };

/** Holds the deliveries of an enabled endpoint while its application is suspended, or sends them again. Idempotent. */
export const setSuspended = (endpoint: Endpoint, isSuspended: boolean, now: number): Endpoint =>
  endpoint.state === (isSuspended ? "enabled" : "suspended")
    ? { ...endpoint, state: isSuspended ? "suspended" : "enabled", updatedAt: now }
    : endpoint;

/** Enables an endpoint for new events. Held deliveries stay held, and a suspended endpoint stays suspended. Idempotent. */
export const enableEndpoint = (endpoint: Endpoint, now: number): Endpoint =>
  endpoint.state !== "disabled"
    ? endpoint
    : {
        ...endpoint,
        state: "enabled",
        disabledAt: null,
        disabledReason: null,
        generation: endpoint.generation + 1,
        consecutiveFailures: 0,
        updatedAt: now,
      };

/**
 * Disables the endpoint of an exhausted delivery and returns the notice to its owner (spec 7.5), even if the application
 * was suspended during the last attempt. Only the first exhausted delivery of a generation finds the endpoint not yet
 * disabled. Resends and older generations change nothing.
 */
export const disableExhausted = (
  endpoint: Endpoint,
  delivery: Delivery,
  now: number,
): Option.Option<{ readonly endpoint: Endpoint; readonly notice: DisabledNotice }> => {
  if (delivery.state !== "exhausted" || delivery.trigger.startsWith("resend:")) return Option.none();
  if (endpoint.state === "disabled" || endpoint.generation !== delivery.generation) return Option.none();
  const succeededMeanwhile = (endpoint.lastSuccessAt ?? 0) >= (delivery.firstAttemptAt ?? now);
  if (endpoint.disablePolicy === "no_success" && succeededMeanwhile) return Option.none();
  const { owner, id: endpointId, url, generation } = endpoint;
  return Option.some({
    endpoint: disableEndpoint(endpoint, "exhausted", now),
    notice: { owner, endpointId, url, generation, disabledAt: now },
  });
};

/** The attempts of one endpoint that are recorded together. Times in epoch milliseconds. */
export interface EndpointOutcomes {
  readonly endpointId: string;
  readonly lastDeliveryAt: number;
  readonly lastStatus: number | null;
  /** The end of the last success; null if no attempt succeeded. */
  readonly lastSuccessAt: number | null;
  /** The number of failures after the last success, or of all failures if none succeeded. */
  readonly failures: number;
}

/** Returns the outcomes of attempts, one entry for each endpoint, in the order of the endpoints' ids. */
export const outcomesOf = (
  settled: ReadonlyArray<{ readonly delivery: Pick<Delivery, "endpointId">; readonly attempt: Attempt }>,
): ReadonlyArray<EndpointOutcomes> => {
  const byEndpoint = new Map<string, EndpointOutcomes>();
  for (const { delivery, attempt } of settled.toSorted((a, b) => endOf(a.attempt) - endOf(b.attempt))) {
    const { endpointId } = delivery;
    const before = byEndpoint.get(endpointId);
    const endedAt = endOf(attempt);
    byEndpoint.set(endpointId, {
      endpointId,
      lastDeliveryAt: endedAt,
      lastStatus: attempt.status,
      ...(isDelivered(attempt)
        ? { lastSuccessAt: endedAt, failures: 0 }
        : { lastSuccessAt: before?.lastSuccessAt ?? null, failures: (before?.failures ?? 0) + 1 }),
    });
  }
  return [...byEndpoint.values()].toSorted((a, b) => (a.endpointId < b.endpointId ? -1 : 1));
};

const endOf = ({ startedAt, ms }: Attempt): number => startedAt + ms;

/** Records the outcomes of attempts in their endpoint. */
export const recordOutcomes = (endpoint: Endpoint, outcomes: EndpointOutcomes): Endpoint => {
  const { lastDeliveryAt, lastStatus, lastSuccessAt, failures } = outcomes;
  const recorded = { ...endpoint, lastDeliveryAt, lastStatus };
  if (lastSuccessAt === null) return { ...recorded, consecutiveFailures: endpoint.consecutiveFailures + failures };
  const latest = Math.max(endpoint.lastSuccessAt ?? 0, lastSuccessAt);
  return { ...recorded, lastSuccessAt: latest, consecutiveFailures: failures };
};
