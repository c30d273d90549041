import { Duration } from "effect";
import type { FolderRemoval } from "./FolderRemoval.ts";

/** The time or number of attempts after which a failing removal is given up, whichever comes first. */
export const TRIED_FOR = Duration.days(1);
export const MAX_ATTEMPTS = 60;
/** The time since the removal began, or the number of attempts, after which the restoring of its folder is given up. */
export const RESTORED_FOR = Duration.days(7);
export const MAX_RESTORE_ATTEMPTS = 240;

const FIRST_DELAY_MILLIS = 10_000;
const MAX_DELAY_MILLIS = 3_600_000;

/** The reason why an attempt at a removal failed. */
export interface RemovalFailure {
  /** Whether the mail server refused a command; false if the server did not answer. */
  readonly refused: boolean;
  readonly reason: string;
}

/**
 * Returns the removal after a failed attempt; undefined if the removal ends. `hides` tells whether the server lists
 * mailboxes that the removal has hidden; undefined if unknown. A refusal before anything was hidden ends the removal.
 * Later failures are retried after increasing waits until the removal is given up and the folder is renamed back (spec
 * 4.6).
 */
export const afterFailure = (
  removal: FolderRemoval,
  hides: boolean | undefined,
  { refused, reason }: RemovalFailure,
  now: number,
): FolderRemoval | undefined => {
  const failures = removal.failures + 1;
  const failed = { ...removal, failures, reason, dueAt: now + delayAfter(failures) };
  if (removal.phase === "restoring") return isAbandoned(failed, now) ? undefined : failed;
  const untouched = removal.phase === "hiding" && hides === false;
  if (!isGivenUp(failed, now)) return refused && untouched ? undefined : failed;
  return untouched ? undefined : startRestoring(failed, now);
};

/** Returns whether a removal has failed for so long or so often that it is given up. */
export const isGivenUp = ({ phase, failures, begunAt }: FolderRemoval, now: number): boolean =>
  phase !== "restoring" &&
  phase !== "finished" &&
  failures > 0 &&
  (failures >= MAX_ATTEMPTS || now >= begunAt + Duration.toMillis(TRIED_FOR));

/** Returns the removal in the phase `restoring`, in which its hidden mailboxes are renamed back. */
export const startRestoring = (removal: FolderRemoval, now: number): FolderRemoval => ({
  ...removal,
  phase: "restoring",
  batch: null,
  failures: 0,
  dueAt: now,
});

const isAbandoned = ({ failures, begunAt }: FolderRemoval, now: number): boolean =>
  failures >= MAX_RESTORE_ATTEMPTS || now >= begunAt + Duration.toMillis(RESTORED_FOR);

const delayAfter = (failures: number): number => Math.min(FIRST_DELAY_MILLIS * 2 ** (failures - 1), MAX_DELAY_MILLIS);
