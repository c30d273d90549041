import { Duration } from "effect";
import type { FolderRemoval } from "./FolderRemoval.ts";

/** A removal that keeps failing is given up after so long, or so many attempts, whichever comes first. */
export const TRIED_FOR = Duration.days(1);
export const MOST_ATTEMPTS = 60;
/** Restoring ends so long after the removal began, or after so many attempts. */
export const RESTORED_FOR = Duration.days(7);
export const MOST_RESTORE_ATTEMPTS = 240;

const FIRST_DELAY_MILLIS = 10_000;
const LONGEST_DELAY_MILLIS = 3_600_000;

/** Why an attempt at a removal failed. */
export interface RemovalFailure {
  /** Whether the mail server refused a command, as opposed to not being there to answer it. */
  readonly refused: boolean;
  readonly reason: string;
}

/**
 * A removal after a failed attempt; undefined where it is over. `hides` is whether the server lists mailboxes it has
 * hidden, undefined where that is not known. A refusal before anything was hidden ends it. What fails later is tried
 * again with a growing delay until it is given up, and then the folder is to be renamed back (spec: folders).
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
  return untouched ? undefined : restoring(failed, now);
};

/** Whether a removal that failed before is no longer to be carried out. */
export const isGivenUp = ({ phase, failures, begunAt }: FolderRemoval, now: number): boolean =>
  phase !== "restoring" &&
  phase !== "finished" &&
  failures > 0 &&
  (failures >= MOST_ATTEMPTS || now >= begunAt + Duration.toMillis(TRIED_FOR));

/** The removal once it is given up: what it has hidden is to be renamed back. */
export const restoring = (removal: FolderRemoval, now: number): FolderRemoval => ({
  ...removal,
  phase: "restoring",
  batch: null,
  failures: 0,
  dueAt: now,
});

const isAbandoned = ({ failures, begunAt }: FolderRemoval, now: number): boolean =>
  failures >= MOST_RESTORE_ATTEMPTS || now >= begunAt + Duration.toMillis(RESTORED_FOR);

const delayAfter = (failures: number): number =>
  Math.min(FIRST_DELAY_MILLIS * 2 ** (failures - 1), LONGEST_DELAY_MILLIS);
