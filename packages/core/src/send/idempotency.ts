import { Duration } from "effect";
import type { AccountId } from "../shared/index.ts";
import { KEY_LIFETIME } from "./limits.ts";
import type { SendAnswer } from "./send-answer.ts";
import type { SendRequest } from "./SendRequest.ts";

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

/** Returns the same text for equal requests, whatever the order of their fields. */
export const canonicalText = (request: SendRequest): string => JSON.stringify(sorted(request));

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    entries.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([name, member]) => [name, sorted(member)]),
  );
};
