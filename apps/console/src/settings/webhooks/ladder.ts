import type { Delivery } from "./webhooks.ts";

/** A place on the ladder: an attempt that was made, the one that is due, or one that may come. */
export interface Step {
  readonly n: number;
  /** Milliseconds since the attempt before; 0 of the first. */
  readonly wait: number;
  readonly is: "succeeded" | "failed" | "due" | "under_way" | "open";
  readonly attempt: Delivery["attempts"][number] | null;
  readonly dueAt: string | null;
}

const succeeded = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

/**
 * A delivery's attempts on the ladder (spec 7.5): the first at once, then one after each wait. A resend is one attempt
 * without a ladder. More attempts than the ladder has now (it may have been another then) get steps of their own.
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
      const is = succeeded(attempt.status) && attempt.errorCode === null ? "succeeded" : "failed";
      return { n: index + 1, wait, is, attempt, dueAt: null };
    }
    const isNext = index === attempts.length;
    const is = isNext && state === "in_flight" ? "under_way" : isNext && state === "pending" ? "due" : "open";
    return { n: index + 1, wait, is, attempt: null, dueAt: is === "due" ? nextAttemptAt : null };
  });
};
