import { Duration } from "effect";

/** The waits between attempts in milliseconds (`WEBHOOK_RETRY_DELAYS`); there is one attempt more than waits. */
export type RetryLadder = ReadonlyArray<number>;

/** 1 min, 5 min, 15 min, 1 h, 6 h (spec 7.5). */
export const RETRY_LADDER: RetryLadder = [
  Duration.minutes(1),
  Duration.minutes(5),
  Duration.minutes(15),
  Duration.hours(1),
  Duration.hours(6),
].map(Duration.toMillis);

/**
 * Returns the wait in milliseconds after failure number `step` (from 0); undefined at the end of the ladder. A wait
 * that the receiver asked for may lengthen a step up to twofold, but never shortens it (spec 7.5).
 */
export const retryDelay = (ladder: RetryLadder, step: number, asked: number | null): number | undefined => {
  const delay = ladder[step];
  return delay === undefined ? undefined : Math.min(Math.max(delay, asked ?? 0), 2 * delay);
};
