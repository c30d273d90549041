import { Clock, Duration, Effect, Option } from "effect";
import type { Fingerprints } from "../auth/index.ts";
import { IdempotencyKeyReused } from "../creations/index.ts";
import { KEY_LIFETIME } from "../creations/neighbours.ts";
import { type AccountId, canonicalText, type StoreUnavailable } from "../shared/index.ts";
import { SendInProgress } from "./errors.ts";
import type { IdempotencyKeys, IdempotencyRecord } from "./ports/IdempotencyKeys.ts";
import type { OutgoingJournal } from "./ports/OutgoingJournal.ts";
import { answerOf, type SendAnswer } from "./send-answer.ts";
import type { SendRequest } from "./SendRequest.ts";

/** Whether a request with a key is the first one, a different request under the same key, or a repetition. */
export type KeyUse = "new" | "reused" | "repeated";

export const keyUse = (record: IdempotencyRecord | undefined, bodyHash: string, now: number): KeyUse => {
  if (record === undefined || now - record.createdAt >= Duration.toMillis(KEY_LIFETIME)) return "new";
  return record.bodyHash === bodyHash ? "repeated" : "reused";
};

/** The `Idempotency-Key` of a request to send. */
export interface KeyedRequest {
  readonly account: AccountId;
  readonly key: string;
  readonly bodyHash: string;
}

/** Returns a request with its `Idempotency-Key`; null without one. */
export const keyedRequest = (
  fingerprints: Fingerprints["Service"],
  account: AccountId,
  request: SendRequest,
  key: string | undefined,
): KeyedRequest | null =>
  key === undefined ? null : { account, key, bodyHash: fingerprints.ofToken(canonicalText(request)) };

/** Returns the answer of a repeated request: the recorded one, or one derived from the journal (spec 6). */
export const findAnswer = Effect.fnUntraced(function* (
  {
    journal,
    idempotencyKeys,
  }: { readonly journal: OutgoingJournal["Service"]; readonly idempotencyKeys: IdempotencyKeys["Service"] },
  keyed: KeyedRequest | null,
  now: number,
): Effect.fn.Return<SendAnswer | undefined, IdempotencyKeyReused | SendInProgress | StoreUnavailable> {
  if (keyed === null) return undefined;
  const { account, key, bodyHash } = keyed;
  const record = Option.getOrUndefined(yield* idempotencyKeys.find(account, key));
  if (record === undefined) return undefined;
  const use = keyUse(record, bodyHash, now);
  if (use === "reused") return yield* new IdempotencyKeyReused();
  if (use === "new") return undefined;
  if (record.answer !== null) return record.answer;
  const entry = yield* journal.find(account, record.outgoingId, yield* Clock.currentTimeMillis);
  if (Option.isNone(entry) || entry.value.leased) return yield* new SendInProgress();
  return answerOf(entry.value.message);
});
