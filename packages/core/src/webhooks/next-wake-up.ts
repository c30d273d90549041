import type { Delivery } from "./Delivery.ts";
import { nextDeliveries } from "./delivery-state.ts";
import type { Endpoint } from "./Endpoint.ts";

/**
 * Returns when an endpoint next needs a worker: a lease expires, or a delivery that may be claimed falls due. Null if
 * neither is pending. Deliveries that are held, or wait for their order or a free slot, are ignored, because their past due times
 * would wake workers for nothing.
 */
export const nextWakeUp = (deliveries: ReadonlyArray<Delivery>, endpoint: Endpoint): number | null => {
  const leases = deliveries.flatMap(({ state, leaseUntil }) => (state === "in_flight" ? [leaseUntil ?? 0] : []));
  const hasRoom = leases.length < endpoint.maxInFlight;
  const due = hasRoom ? nextDeliveries(deliveries, endpoint).map(({ dueAt }) => dueAt) : [];
  const times = [...leases, ...due];
  return times.length === 0 ? null : Math.min(...times);
};
