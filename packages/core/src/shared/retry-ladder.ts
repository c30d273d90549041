import { Duration } from "effect";

/** The waits between attempts in milliseconds (`WEBHOOK_RETRY_DELAYS`). There is one more attempt than there are waits. */
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
 * Returns the wait in milliseconds after failure number `step` (from 0); undefined at the end of the ladder. If the
 * receiver asks for a wait, it may lengthen a step up to twofold, but never shorten it (spec 7.5).
 */
export const retryDelay = (ladder: RetryLadder, step: number, asked: number | null): number | undefined => {
  const delay = ladder[step];
  return delay === undefined ? undefined : Math.min(Math.max(delay, asked ?? 0), 2 * delay);
};
