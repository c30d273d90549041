import type { Delivery } from "./Delivery.ts";
import { isCurrent, isHeld, newDelivery } from "./delivery-state.ts";
import type { Endpoint } from "./Endpoint.ts";

/** The events to replay: from `since` to before `until`, in ISO 8601. */
export interface ReplayRequest {
  readonly since: string;
  readonly until?: string | undefined;
  readonly states?: ReadonlyArray<ReplayState> | undefined;
}

/** The state of a replay when its request returns. */
export interface ReplayReceipt {
  readonly id: string;
  /** The number of deliveries queued so far. */
  readonly queued: number;
  /** False while the rest is queued in the background. */
  readonly complete: boolean;
}

/** The states of deliveries that a replay includes. */
export type ReplayState = "held" | "exhausted";

/** The rows that a replay writes for one event; at most one of these deliveries will be sent. */
export interface ReplayPlan {
  /** A held delivery that becomes due now. */
  readonly current: Delivery | null;
  /** Held deliveries to cancel. */
  readonly cancelled: ReadonlyArray<Delivery>;
  /** A new delivery of the event. */
  readonly added: Delivery | null;
}

const NOTHING: ReplayPlan = { current: null, cancelled: [], added: null };

/**
 * Plans the replay of one event at an enabled endpoint (spec 7). Skips deliveries that succeeded, are due or are in
 * flight, so that a repeated replay adds nothing.
 */
export const replayPlan = (
  deliveries: ReadonlyArray<Delivery>,
  endpoint: Endpoint,
  {
    newId,
    requestId,
    states,
  }: { readonly newId: string; readonly requestId: string; readonly states: ReadonlyArray<ReplayState> },
  now: number,
): ReplayPlan => {
  const held = deliveries.filter((delivery) => isHeld(delivery, endpoint));
  const cancel = (those: ReadonlyArray<Delivery>) => those.map((row): Delivery => ({ ...row, state: "cancelled" }));
  if (deliveries.some(({ state }) => state === "succeeded")) return { ...NOTHING, cancelled: cancel(held) };
  if (deliveries.some((delivery) => delivery.state === "in_flight" || isCurrent(delivery, endpoint))) return NOTHING;

  // A resend has only one attempt, so it is chosen last.
  const [chosen, ...others] = held.toSorted((a, b) => Number(isResend(a)) - Number(isResend(b)));
  if (chosen !== undefined) {
    if (!states.includes("held")) return NOTHING;
    const { generation } = endpoint;
    const current = { ...chosen, generation, step: 0, dueAt: now, firstAttemptAt: null, lostClaims: 0 };
    return { ...NOTHING, current, cancelled: cancel(others) };
  }
  const exhausted = deliveries.find(({ state }) => state === "exhausted");
  if (exhausted === undefined || !states.includes("exhausted")) return NOTHING;
  return { ...NOTHING, added: newDelivery(newId, exhausted, endpoint, `replay:${requestId}`, now) };
};

const isResend = ({ trigger }: Delivery): boolean => trigger.startsWith("resend:");
