import type { Delivery } from "./Delivery.ts";
import { byPosition, isCurrent } from "./delivery-state.ts";
import type { Endpoint } from "./Endpoint.ts";

/**
 * When an endpoint's deliveries are worth a look again: a lease runs out, or what comes first is due and there is room.
 * What is held, queued behind or beyond the cap keeps a past due time and must not keep anybody awake.
 */
export const nextWakeUp = (deliveries: ReadonlyArray<Delivery>, endpoint: Endpoint): number | null => {
  const leases = deliveries.flatMap(({ state, leaseUntil }) => (state === "in_flight" ? [leaseUntil ?? 0] : []));
  const hasRoom = leases.length < (endpoint.ordered ? 1 : endpoint.maxInFlight);
  const waiting = hasRoom ? deliveries.filter((delivery) => isCurrent(delivery, endpoint)) : [];
  const head = endpoint.ordered ? waiting.toSorted(byPosition) : [];
  const due = (endpoint.ordered ? head.slice(0, 1) : waiting).map(({ dueAt }) => dueAt);
  const looks = [...leases, ...due];
  return looks.length === 0 ? null : Math.min(...looks);
};
