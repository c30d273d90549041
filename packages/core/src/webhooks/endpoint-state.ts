import { Option } from "effect";
import type { Delivery } from "./Delivery.ts";
import { type DeliveryOutcome, isDelivered } from "./DeliveryOutcome.ts";
import type { DisabledNotice, DisabledReason, Endpoint, EndpointSettings } from "./Endpoint.ts";
import type { EndpointOwner } from "./EndpointOwner.ts";

/** Default of concurrent POSTs to one endpoint. */
export const MAX_IN_FLIGHT = 4;

/** The most that can be set for the endpoint of an account; for that of an application it is 32. */
export const MOST_IN_FLIGHT_OF_ACCOUNT = 10;

/** The most endpoints per account or application: each event costs one delivery per endpoint. */
export const MAX_ENDPOINTS = 100;

/** Returns a new endpoint: enabled, in its first generation. */
export const newEndpoint = (id: string, owner: EndpointOwner, settings: EndpointSettings, now: number): Endpoint => ({
  ...settingsOf(settings),
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

/** Changes the settings; deliveries that are due already use the new ones (spec 7). */
export const editEndpoint = (endpoint: Endpoint, changes: Partial<EndpointSettings>, now: number): Endpoint => ({
  ...endpoint,
  ...settingsOf({ ...endpoint, ...changes }),
  updatedAt: now,
});

/** Picks the settings from the request, because the record is stored whole. */
const settingsOf = (asked: EndpointSettings): EndpointSettings => ({
  url: asked.url,
  description: asked.description,
  events: asked.events,
  disablePolicy: asked.disablePolicy,
  honourRetryAfter: asked.honourRetryAfter,
  ordered: asked.ordered,
  maxInFlight: asked.maxInFlight,
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

/** Enables an endpoint for new events; held deliveries stay held. Idempotent. */
export const enableEndpoint = (endpoint: Endpoint, now: number): Endpoint =>
  endpoint.state === "enabled"
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
 * Disables the endpoint of an exhausted delivery and returns the notice to its owner (spec 7.5). Only the first
 * exhausted delivery of a generation finds the endpoint enabled. Resends and older generations change nothing.
 */
export const disableExhausted = (
  endpoint: Endpoint,
  delivery: Delivery,
  now: number,
): Option.Option<{ readonly endpoint: Endpoint; readonly notice: DisabledNotice }> => {
  if (delivery.state !== "exhausted" || delivery.trigger.startsWith("resend:")) return Option.none();
  if (endpoint.state !== "enabled" || endpoint.generation !== delivery.generation) return Option.none();
  const succeededMeanwhile = (endpoint.lastSuccessAt ?? 0) >= (delivery.firstAttemptAt ?? now);
  if (endpoint.disablePolicy === "no_success" && succeededMeanwhile) return Option.none();
  const { owner, id: endpointId, url, generation } = endpoint;
  return Option.some({
    endpoint: disableEndpoint(endpoint, "exhausted", now),
    notice: { owner, endpointId, url, generation, disabledAt: now },
  });
};

/** Records the outcome of an attempt in the endpoint. */
export const recordOutcome = (endpoint: Endpoint, outcome: DeliveryOutcome, endedAt: number): Endpoint => {
  const delivered = isDelivered(outcome);
  return {
    ...endpoint,
    lastDeliveryAt: endedAt,
    lastStatus: outcome.status,
    lastSuccessAt: delivered ? Math.max(endpoint.lastSuccessAt ?? 0, endedAt) : endpoint.lastSuccessAt,
    consecutiveFailures: delivered ? 0 : endpoint.consecutiveFailures + 1,
  };
};
