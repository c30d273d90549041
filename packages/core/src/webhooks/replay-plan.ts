import type { Delivery } from "./Delivery.ts";
import { isCurrent, isHeld, newDelivery } from "./delivery-state.ts";
import type { Endpoint } from "./Endpoint.ts";

/** What a replay may pick up. */
export type ReplayState = "held" | "exhausted";

/** What a replay does about one event: rows to write, none of them due to be sent twice. */
export interface ReplayPlan {
  /** A held delivery that becomes due now. */
  readonly current: Delivery | null;
  /** Held deliveries that will never be sent. */
  readonly cancelled: ReadonlyArray<Delivery>;
  /** A new delivery of the event. */
  readonly added: Delivery | null;
}

const NOTHING: ReplayPlan = { current: null, cancelled: [], added: null };

/**
 * Plans the replay of one event at an enabled endpoint (spec 7). What was delivered, is due or in flight is left
 * alone, so that asking twice gives one set.
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

  // A resend has but one attempt: it takes the place of a ladder only where there is none.
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
