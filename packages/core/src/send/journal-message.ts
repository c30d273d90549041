import { Clock, Duration, Effect, Option, Schedule } from "effect";
import { CredentialVault, type Fingerprints } from "../auth/index.ts";
import { KEY_LIFETIME, IdempotencyKeyReused } from "../creations/neighbours.ts";
import { type AccountId, canonicalText, type Lease, type StoreUnavailable, Transaction } from "../shared/index.ts";
import type { AcceptedMessage } from "./accept-message.ts";
import { attachmentsGone } from "./uploads/attachments.ts";
import { SendInProgress, SendUnconfirmed } from "./errors.ts";
import type { OutgoingMessage } from "./outgoing/OutgoingMessage.ts";
import { IdempotencyKeys } from "./ports/IdempotencyKeys.ts";
import { OutgoingJournal } from "./ports/OutgoingJournal.ts";
import { SendQuotas } from "./ports/SendQuotas.ts";
import { TrackedMessages } from "./ports/TrackedMessages.ts";
import { UploadRecords } from "./ports/UploadRecords.ts";
import { answerOf, type SendAnswer } from "./send-answer.ts";
import { dailyLimitOf, type SendingKey, type SendRates, spend, spendByKey } from "./send-quota.ts";
import type { SendRequest } from "./SendRequest.ts";

/** The interval and number of checks whether the message was journaled, after a commit with an unknown outcome. */
const CONFIRMATION = { schedule: Schedule.spaced("500 millis"), times: 20 } as const;

/** The ports that store an accepted message. */
export const messageJournal = Effect.all({
  journal: OutgoingJournal,
  quotas: SendQuotas,
  idempotencyKeys: IdempotencyKeys,
  tracked: TrackedMessages,
  uploadRecords: UploadRecords,
  vault: CredentialVault,
  transaction: Transaction,
});
export type MessageJournal = Effect.Success<typeof messageJournal>;

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

/** Returns the answer to a repeated request: the recorded answer, or an answer derived from the journal (spec 6). */
export const findAnswer = Effect.fnUntraced(function* (
  { journal, idempotencyKeys }: Pick<MessageJournal, "journal" | "idempotencyKeys">,
  keyed: KeyedRequest | null,
  now: number,
): Effect.fn.Return<SendAnswer | undefined, IdempotencyKeyReused | SendInProgress | StoreUnavailable> {
  if (keyed === null) return undefined;
  const { account, key, bodyHash } = keyed;
  const record = Option.getOrUndefined(yield* idempotencyKeys.find(account, key));
  if (record === undefined || now - record.createdAt >= Duration.toMillis(KEY_LIFETIME)) return undefined;
  if (record.bodyHash !== bodyHash) return yield* new IdempotencyKeyReused();
  if (record.answer !== null) return record.answer;
  const entry = yield* journal.find(account, record.outgoingId, yield* Clock.currentTimeMillis);
  if (Option.isNone(entry) || entry.value.leased) return yield* new SendInProgress();
  return answerOf(entry.value.message);
});

/** The writes of the transaction that journals a message. */
interface Writes<E> {
  readonly accepted: AcceptedMessage;
  /** The lease for the first attempt; null for a scheduled message. */
  readonly lease: Lease | null;
  readonly keyed: KeyedRequest | null;
  /** The service key of the request. */
  readonly by: SendingKey | null;
  readonly rates: SendRates;
  /** The number of uploaded files that the request itself names. */
  readonly namedFiles: number;
  /** Further writes of the caller. */
  readonly within: Effect.Effect<void, E | StoreUnavailable>;
}

/** Journals an accepted message; false, with nothing written, if another request has its idempotency key. */
export const journalMessage = Effect.fnUntraced(function* <E>(
  ports: MessageJournal,
  { accepted: { message, contents, tracked }, lease, keyed, by, rates, namedFiles, within }: Writes<E>,
) {
  const { journal, quotas, idempotencyKeys, uploadRecords, vault } = ports;
  const { id, account, createdAt: now } = message;
  let isComplete = false;
  const journaled = ports.transaction.run(
    Effect.gen(function* () {
      if (keyed !== null) {
        const answer = lease === null ? answerOf(message) : null;
        const record = { ...keyed, outgoingId: id, createdAt: now, answer };
        if (!(yield* idempotencyKeys.take(record, now - Duration.toMillis(KEY_LIFETIME)))) return false;
      }
      yield* quotas.modify(account, (quota) => spend(quota, rates, now));
      const perDay = by === null ? null : dailyLimitOf(by);
      if (by !== null && perDay !== null) yield* quotas.modify(by.id, (quota) => spendByKey(quota, perDay, now));
      yield* journal.insert(message, contents, lease);
      const files = contents.attachments.map(({ uploadId }) => uploadId);
      if (files.length > 0 && !(yield* uploadRecords.pin(account, files, id))) {
        return yield* attachmentsGone(namedFiles);
      }
      // The removal of an account erases its credential, and the messages that are journaled before.
      yield* vault.hold(account);
      if (tracked !== null) yield* ports.tracked.insert(tracked);
      yield* within;
      isComplete = true;
      return true;
    }),
  );
  return yield* Effect.catchTag(journaled, "StoreUnavailable", (error) =>
    isComplete
      ? Effect.filterOrFail(
          isJournaled(ports, message),
          (isThere) => isThere,
          () => error,
        )
      : Effect.fail(error),
  );
});

/**
 * Returns whether the message was journaled, which shows the outcome of a commit whose result was lost. The database
 * may still be committing. In that case the transaction holds the credential, so holding the credential waits for the
 * commit.
 */
const isJournaled = ({ journal, vault, transaction }: MessageJournal, { account, id, messageId }: OutgoingMessage) =>
  vault.hold(account).pipe(
    Effect.catchTag("MailboxCredentialsRejected", () => Effect.void),
    Effect.andThen(Clock.currentTimeMillis),
    Effect.flatMap((now) => journal.find(account, id, now)),
    transaction.run,
    Effect.retry(CONFIRMATION),
    Effect.catch(() => Effect.fail(new SendUnconfirmed({ id, messageId }))),
    Effect.map(Option.isSome),
  );
