import type { Delivery } from "./Delivery.ts";
import { byPosition, isCurrent } from "./delivery-state.ts";
import type { Endpoint } from "./Endpoint.ts";

/**
 * Returns when an endpoint next needs a worker: a lease expires, or a delivery that may be claimed falls due. Null if
 * neither is pending. Held deliveries and those beyond the concurrency limit are ignored, because their past due times
 * would wake workers for nothing.
 */
export const nextWakeUp = (deliveries: ReadonlyArray<Delivery>, endpoint: Endpoint): number | null => {
  const leases = deliveries.flatMap(({ state, leaseUntil }) => (state === "in_flight" ? [leaseUntil ?? 0] : []));
  const hasRoom = leases.length < (endpoint.ordered ? 1 : endpoint.maxInFlight);
  const waiting = hasRoom ? deliveries.filter((delivery) => isCurrent(delivery, endpoint)) : [];
  const head = endpoint.ordered ? waiting.toSorted(byPosition) : [];
  const due = (endpoint.ordered ? head.slice(0, 1) : waiting).map(({ dueAt }) => dueAt);
  const times = [...leases, ...due];
  return times.length === 0 ? null : Math.min(...times);
};
