import { Duration } from "effect";
import type { CreationRecord } from "./CreationRecord.ts";
import { KEY_LIFETIME } from "./limits.ts";

/** The state of a request's key. `unfinished`: an earlier request began the creation, but failed or ended with its process. */
export type KeyState = "unused" | "reused" | "in_progress" | "unfinished" | "created";

export const keyState = (record: CreationRecord | undefined, requestHash: string, now: number): KeyState => {
  if (record === undefined || now - record.createdAt >= Duration.toMillis(KEY_LIFETIME)) return "unused";
  if (record.requestHash !== requestHash) return "reused";
  if (record.lease === null) return "created";
  return now < record.lease.until ? "in_progress" : "unfinished";
};
