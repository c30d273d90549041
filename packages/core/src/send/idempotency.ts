import { Duration } from "effect";
import { KEY_LIFETIME } from "../creations/index.ts";
import type { AccountId } from "../shared/index.ts";
import type { SendAnswer } from "./send-answer.ts";

/** An `Idempotency-Key` that was used for a message (spec 6). Times in epoch milliseconds. */
export interface IdempotencyRecord {
  readonly account: AccountId;
  readonly key: string;
  /** SHA-256 of the first request with this key. */
  readonly bodyHash: string;
  readonly outgoingId: string;
  readonly createdAt: number;
  /** The response to the first request; null until it is known. */
  readonly answer: SendAnswer | null;
}

/** Whether a request with a key is the first one, a different request under the same key, or a repetition. */
export type KeyUse = "new" | "reused" | "repeated";

export const keyUse = (record: IdempotencyRecord | undefined, bodyHash: string, now: number): KeyUse => {
  if (record === undefined || now - record.createdAt >= Duration.toMillis(KEY_LIFETIME)) return "new";
  return record.bodyHash === bodyHash ? "repeated" : "reused";
};
