import type { ParseJob } from "./ParseJob.ts";

/** Failures after which a message is not tried again ("MIME"). */
const MOST_FAILURES = 3;
const AFTER_FAILURE_MILLIS = 5_000;
const FIRST_DELAY_MILLIS = 1_000;
const LONGEST_DELAY_MILLIS = 300_000;
/** A message that could not be read for so long is given up: longer than a mail server is down. */
const LIFETIME_MILLIS = 14 * 24 * 3_600_000;

/** A job that is to be tried again at `dueAt`, in epoch milliseconds. */
export interface PostponedJob {
  readonly job: ParseJob;
  readonly dueAt: number;
}

/** The message could not be parsed: once more, or null where it is to be left alone for good. */
export const failed = (job: ParseJob, now: number): PostponedJob | null => {
  const failures = job.failures + 1;
  return failures >= MOST_FAILURES ? null : { job: { ...job, failures }, dueAt: now + AFTER_FAILURE_MILLIS };
};

/** It could not be read now, through no fault of its own: later, ever more rarely; null where it waited too long. */
export const delayed = (job: ParseJob, now: number): PostponedJob | null => {
  if (now - job.seenAt >= LIFETIME_MILLIS) return null;
  const wait = Math.min(LONGEST_DELAY_MILLIS, FIRST_DELAY_MILLIS * 2 ** Math.min(job.delays, 20));
  return { job: { ...job, delays: job.delays + 1 }, dueAt: now + wait };
};
