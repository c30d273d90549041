import type { ParseJob } from "./ParseJob.ts";

/** The waits after parse failures, in milliseconds. The last wait precedes the last attempt. */
const AFTER_FAILURE_MILLIS = [60_000, 3_600_000, 24 * 3_600_000, 3 * 24 * 3_600_000];
const FIRST_DELAY_MILLIS = 1_000;
const MAX_DELAY_MILLIS = 300_000;
/** The age at which an unreadable message is given up. Outages of mail servers are rarely that long. */
const LIFETIME_MILLIS = 14 * 24 * 3_600_000;

/** A job to retry at `dueAt`, in epoch milliseconds. */
export interface PostponedJob {
  readonly job: ParseJob;
  readonly dueAt: number;
}

/** Returns the job after a parse failure; null if the job is given up. */
export const afterFailure = (job: ParseJob, now: number): PostponedJob | null => {
  const wait = AFTER_FAILURE_MILLIS[job.failures];
  return wait === undefined ? null : { job: { ...job, failures: job.failures + 1 }, dueAt: now + wait };
};

/** Returns the job after a failure to read the message, due after an exponential backoff; null if the job is given up. */
export const afterDelay = (job: ParseJob, now: number): PostponedJob | null => {
  if (now - job.seenAt >= LIFETIME_MILLIS) return null;
  const wait = Math.min(MAX_DELAY_MILLIS, FIRST_DELAY_MILLIS * 2 ** job.delays);
  return { job: { ...job, delays: job.delays + 1 }, dueAt: now + wait };
};
