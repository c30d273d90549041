import { Duration } from "effect";
import type { AccountId } from "../shared/index.ts";
import { KEY_LIFETIME } from "./limits.ts";
import type { SendAnswer } from "./send-answer.ts";
import type { SendRequest } from "./SendRequest.ts";

/** An `Idempotency-Key` that was used for a message (spec 6). Times in epoch milliseconds. */
export interface IdempotencyRecord {
  readonly account: AccountId;
  readonly key: string;
  /** SHA-256 of the request it was used for. */
  readonly bodyHash: string;
  readonly outgoingId: string;
  readonly createdAt: number;
  /** What the first request was answered with, once it was. */
  readonly answer: SendAnswer | null;
}

/** What a request with a key is: the first of its kind, another one under the same key, or a repetition. */
export type KeyUse = "new" | "reused" | "repeated";

export const keyUse = (record: IdempotencyRecord | undefined, bodyHash: string, now: number): KeyUse => {
  if (record === undefined || now - record.createdAt >= Duration.toMillis(KEY_LIFETIME)) return "new";
  return record.bodyHash === bodyHash ? "repeated" : "reused";
};

/** One text for requests that say the same, in whatever order they say it. */
export const canonicalText = (request: SendRequest): string => JSON.stringify(sorted(request));

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    entries.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([name, member]) => [name, sorted(member)]),
  );
};
