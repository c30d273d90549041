import type { Delivery } from "./Delivery.ts";
import { isCurrent } from "./delivery-state.ts";
import type { Endpoint } from "./Endpoint.ts";

const byDue = (a: Delivery, b: Delivery): number => a.dueAt - b.dueAt || (a.id < b.id ? -1 : 1);
/** Compares deliveries by their order in the account's ledger, which an ordered endpoint follows. */
const byPosition = (a: Delivery, b: Delivery): number => a.position - b.position || (a.id < b.id ? -1 : 1);

/**
 * Returns the deliveries of an endpoint that may be sent next, due or not. For an ordered endpoint, these are the
 * earliest deliveries of the accounts that have no delivery in flight, even if a later delivery is due first.
 */
const nextDeliveries = (deliveries: ReadonlyArray<Delivery>, endpoint: Endpoint): ReadonlyArray<Delivery> => {
  const waiting = deliveries.filter((delivery) => isCurrent(delivery, endpoint));
  if (!endpoint.ordered) return waiting;
  const inFlight = new Set(deliveries.flatMap(({ state, account }) => (state === "in_flight" ? [account] : [])));
  const byAccount = Map.groupBy(waiting, ({ account }) => account);
  return [...byAccount].flatMap(([account, theirs]) =>
    inFlight.has(account) ? [] : theirs.toSorted(byPosition).slice(0, 1),
  );
};

/** Returns the deliveries of an endpoint that may be sent now, earliest due first, up to its free slots. */
export const findClaimable = (
  deliveries: ReadonlyArray<Delivery>,
  endpoint: Endpoint,
  now: number,
): ReadonlyArray<Delivery> => {
  const inFlight = deliveries.filter(({ state }) => state === "in_flight").length;
  const room = Math.max(0, endpoint.maxInFlight - inFlight);
  const due = nextDeliveries(deliveries, endpoint).filter(({ dueAt }) => dueAt <= now);
  return due.toSorted(byDue).slice(0, room);
};

/**
 * Returns the time at which an endpoint next needs a worker: when a lease expires, or when a delivery that may be
 * claimed falls due; null without either. Ignores deliveries that are held, or that wait for their order or a free
 * slot, because workers cannot send them although they are due.
 */
export const nextWakeUp = (deliveries: ReadonlyArray<Delivery>, endpoint: Endpoint): number | null => {
  const leases = deliveries.flatMap(({ state, leaseUntil }) => (state === "in_flight" ? [leaseUntil ?? 0] : []));
  const hasRoom = leases.length < endpoint.maxInFlight;
  const due = hasRoom ? nextDeliveries(deliveries, endpoint).map(({ dueAt }) => dueAt) : [];
  const times = [...leases, ...due];
  return times.length === 0 ? null : Math.min(...times);
};
