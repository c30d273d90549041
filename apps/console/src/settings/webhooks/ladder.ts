import type { Delivery } from "./webhooks.ts";

/** A step of the ladder: an attempt already made, in flight, due, or possible later. */
export interface Step {
  readonly n: number;
  /** Milliseconds after the previous attempt; 0 for the first. */
  readonly wait: number;
  readonly is: "succeeded" | "failed" | "due" | "under_way" | "open";
  readonly attempt: Delivery["attempts"][number] | null;
  readonly dueAt: string | null;
}

const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

/**
 * Returns a delivery's attempts on the ladder (spec 7.5): the first at once, then one after each wait. A resend has one
 * step. The ladder may have been longer before; attempts beyond it get extra steps.
 */
export const stepsOf = (
  delivery: Pick<Delivery, "attempts" | "state" | "trigger" | "nextAttemptAt">,
  waits: ReadonlyArray<number>,
): ReadonlyArray<Step> => {
  const { attempts, state, trigger, nextAttemptAt } = delivery;
  const places = trigger === "resend" ? 1 : waits.length + 1;
  const isOver = state === "succeeded" || state === "cancelled";
  const count = Math.max(attempts.length, isOver ? attempts.length : places);
  return Array.from({ length: count }, (_, index): Step => {
    const attempt = attempts[index] ?? null;
    const wait = index === 0 ? 0 : (waits[index - 1] ?? 0);
    if (attempt !== null) {
      const is = isSuccess(attempt.status) && attempt.errorCode === null ? "succeeded" : "failed";
      return { n: index + 1, wait, is, attempt, dueAt: null };
    }
    const isNext = index === attempts.length;
    const is = isNext && state === "in_flight" ? "under_way" : isNext && state === "pending" ? "due" : "open";
    return { n: index + 1, wait, is, attempt: null, dueAt: is === "due" ? nextAttemptAt : null };
  });
};
