import { Clock, Context, Deferred, Duration, Effect, Layer, Option, Schedule } from "effect";
import { CredentialVault, Fingerprints } from "../auth/index.ts";
import { IdempotencyKeyReused, KEY_LIFETIME } from "../creations/index.ts";
import type { MailboxAccessError } from "../mail/index.ts";
import { type AccountId, canonicalText, Entropy, type StoreUnavailable, Transaction } from "../shared/index.ts";
import { ReplyPreparation } from "./ReplyPreparation.ts";
import { Identities } from "./Identities.ts";
import { ReplyCompletion } from "./ReplyCompletion.ts";
import { Uploads } from "./Uploads.ts";
import { acceptMessage, answeringMessage } from "./accept-message.ts";
import {
  AutomaticMessage,
  type SendRequestInvalid,
  type KeySendRateExceeded,
  MessageTooLarge,
  SenderBlocked,
  type SenderNotAllowed,
  SendInProgress,
  type SendRateExceeded,
  SendUnconfirmed,
} from "./errors.ts";
import { type IdempotencyRecord, keyUse } from "./idempotency.ts";
import { LEASE, MAX_ATTACHMENT_BYTES, MAX_ATTACHMENTS, MAX_MESSAGE_BYTES, MAX_RECIPIENTS } from "./limits.ts";
import { OutgoingAttempts } from "./OutgoingAttempts.ts";
import { OutgoingWorker } from "./OutgoingWorker.ts";
import { IdempotencyKeys } from "./ports/IdempotencyKeys.ts";
import { MailTransport } from "./ports/MailTransport.ts";
import type { OutgoingMessage } from "./OutgoingMessage.ts";
import { OutgoingJournal } from "./ports/OutgoingJournal.ts";
import { SendQuotas } from "./ports/SendQuotas.ts";
import { TrackedMessages } from "./ports/TrackedMessages.ts";
import { UploadRecords } from "./ports/UploadRecords.ts";
import { attachmentsGone, attachmentsOf } from "./attachments.ts";
import { readSendRequest } from "./read-send-request.ts";
import { answerOf, receiptOf, type SendAnswer, type SendFailure, type SendReceipt } from "./send-answer.ts";
import { maySend } from "./sender-policy.ts";
import { type SendingKey, spend, spendByKey } from "./send-quota.ts";
import type { SendLimits } from "./SendLimits.ts";
import { SendSettings } from "./SendSettings.ts";
import type { SendRequest } from "./SendRequest.ts";

/** How long a client waits for the first attempt (spec 6). */
const PATIENCE = Duration.seconds(15);

/** How often to check whether the message was journaled after a commit with an unknown outcome. */
const CONFIRMATION = { schedule: Schedule.spaced("500 millis"), times: 20 } as const;

const TOO_LARGE = `a message may have at most ${MAX_MESSAGE_BYTES} bytes when it is encoded`;

export type SendError =
  | SendRequestInvalid
  | MessageTooLarge
  | SenderBlocked
  | SenderNotAllowed
  | AutomaticMessage
  | SendRateExceeded
  | KeySendRateExceeded
  | IdempotencyKeyReused
  | SendInProgress
  | SendFailure
  | SendUnconfirmed
  | MailboxAccessError;

/** Sends messages (spec 6.2): each is journaled first, so that none is lost or sent twice. */
export class MessageSender extends Context.Service<
  MessageSender,
  {
    /**
     * Sends a message; returns after the first attempt, or after 15 seconds with the message queued. It belongs to the
     * service key of the request, if there is one, and counts against its limit. `within` runs in the transaction that journals the message.
     */
    readonly send: <E = never>(
      account: AccountId,
      request: SendRequest,
      key: string | undefined,
      by?: SendingKey | null,
      within?: (message: OutgoingMessage) => Effect.Effect<void, E | StoreUnavailable>,
    ) => Effect.Effect<SendReceipt, SendError | E>;
    /** The limits on sending of an account; sizes in bytes. */
    readonly limits: (account: AccountId) => Effect.Effect<SendLimits>;
  }
>()("@postern/core/send/MessageSender") {
  static readonly layer = Layer.effect(
    MessageSender,
    Effect.gen(function* () {
      const settings = yield* SendSettings;
      const vault = yield* CredentialVault;
      const records = yield* UploadRecords;
      const uploads = yield* Uploads;
      const identities = yield* Identities;
      const completion = yield* ReplyCompletion;
      const answering = yield* ReplyPreparation;
      const transport = yield* MailTransport;
      const journal = yield* OutgoingJournal;
      const quotas = yield* SendQuotas;
      const keys = yield* IdempotencyKeys;
      const tracked = yield* TrackedMessages;
      const attempts = yield* OutgoingAttempts;
      const worker = yield* OutgoingWorker;
      const transaction = yield* Transaction;
      const entropy = yield* Entropy;
      const fingerprints = yield* Fingerprints;

      /** Returns the response to a repeated request: the recorded one, or one derived from the journal (spec 6). */
      const repeated = Effect.fnUntraced(function* ({ account, answer, outgoingId }: IdempotencyRecord) {
        if (answer !== null) return answer;
        const entry = yield* journal.find(account, outgoingId, yield* Clock.currentTimeMillis);
        if (Option.isNone(entry) || entry.value.leased) return yield* new SendInProgress();
        return answerOf(entry.value.message);
      });

      const earlier = Effect.fnUntraced(function* (account: AccountId, key: string, bodyHash: string, now: number) {
        const record = Option.getOrUndefined(yield* keys.find(account, key));
        const use = keyUse(record, bodyHash, now);
        if (use === "reused") return yield* new IdempotencyKeyReused();
        return use === "new" ? undefined : yield* repeated(record!);
      });

      /** Whether the message was journaled; decides the outcome of a commit whose result was lost. */
      const isJournaled = (account: AccountId, { id, messageId }: OutgoingMessage) =>
        Clock.currentTimeMillis.pipe(
          Effect.flatMap((now) => journal.find(account, id, now)),
          Effect.retry(CONFIRMATION),
          Effect.catch(() => Effect.fail(new SendUnconfirmed({ id, messageId }))),
          Effect.map(Option.isSome),
        );

      const send = Effect.fn("MessageSender.send")(function* <E = never>(
        account: AccountId,
        request: SendRequest,
        key: string | undefined,
        by: SendingKey | null = null,
        within: (message: OutgoingMessage) => Effect.Effect<void, E | StoreUnavailable> = () => Effect.void,
      ): Effect.fn.Return<SendReceipt, SendError | E> {
        const now = yield* Clock.currentTimeMillis;
        const bodyHash = key === undefined ? "" : fingerprints.ofToken(canonicalText(request));
        const before = key === undefined ? undefined : yield* earlier(account, key, bodyHash, now);
        if (before !== undefined) return yield* Effect.fromResult(receiptOf(before));

        const wanted = yield* Effect.fromResult(readSendRequest(yield* completion.complete(account, request), now));
        if (!maySend(settings.policy, account)) return yield* new SenderBlocked();
        const sender = yield* identities.sender(account, request.from);
        const answered = yield* answering.prepare(account, request);
        if (answered.isAutomatic && request.force !== true) return yield* new AutomaticMessage();
        const attachments = [
          ...(yield* attachmentsOf({ records, uploads }, account, wanted, now)),
          ...answered.attachments,
        ];
        const ids = { id: `out_${yield* entropy.id(128)}`, trackingId: yield* entropy.id(128) };
        const accepted = acceptMessage(account, answeringMessage(wanted, answered), sender, attachments, {
          ...ids,
          baseUrl: settings.baseUrl,
          now,
          author: by === null ? null : { key: by.id, application: by.application },
        });
        // A limit of the mail server is left to the attempt, because the server may have raised it.
        if (accepted.contents.size > MAX_MESSAGE_BYTES) return yield* new MessageTooLarge({ detail: TOO_LARGE });
        yield* vault.version(account);

        const { message, contents } = accepted;
        const token = yield* entropy.id(128);
        const lease = message.scheduledFor === null ? { token, until: now + Duration.toMillis(LEASE) } : null;
        const scheduled: SendAnswer | null = lease === null ? answerOf(message) : null;
        let isComplete = false;
        const journaled = transaction.run(
          Effect.gen(function* () {
            const record = {
              account,
              key: key ?? "",
              bodyHash,
              outgoingId: message.id,
              createdAt: now,
              answer: scheduled,
            };
            if (key !== undefined && !(yield* keys.take(record, now - Duration.toMillis(KEY_LIFETIME)))) return false;
            yield* quotas.modify(account, (quota) => spend(quota, settings.rates, now));
            const perDay = by?.sendPerDay ?? null;
            if (by !== null && perDay !== null) {
              yield* quotas.modify(by.id, (quota) => spendByKey(quota, perDay, now));
            }
            yield* journal.insert(message, contents, lease);
            const files = contents.attachments.map(({ uploadId }) => uploadId);
            if (files.length > 0 && !(yield* records.pin(account, files, message.id))) {
              return yield* attachmentsGone(wanted);
            }
            if (accepted.tracked !== null) yield* tracked.insert(accepted.tracked);
            yield* within(message);
            isComplete = true;
            return true;
          }),
        );
        const isFirst = yield* Effect.catchTag(journaled, "StoreUnavailable", (error) =>
          isComplete
            ? Effect.filterOrFail(
                isJournaled(account, message),
                (isThere) => isThere,
                () => error,
              )
            : Effect.fail(error),
        );
        if (!isFirst) {
          const first = yield* earlier(account, key!, bodyHash, now);
          return yield* first === undefined ? new SendInProgress() : Effect.fromResult(receiptOf(first));
        }
        if (scheduled !== null) return yield* Effect.fromResult(receiptOf(scheduled));

        const client = { waits: true, hasKey: key !== undefined, answer: yield* Deferred.make<SendAnswer>() };
        yield* worker.adopt(message.id, lease!, (held) => attempts.work(message, held, { client, contents }));
        yield* answering.mark(account, request);
        const answer = yield* Deferred.await(client.answer).pipe(
          Effect.timeoutOption(PATIENCE),
          Effect.ensuring(Effect.sync(() => void (client.waits = false))),
        );
        if (Option.isSome(answer)) return yield* Effect.fromResult(receiptOf(answer.value));
        // If this fails, a repeated request is answered from the journal.
        if (client.hasKey) yield* Effect.ignore(keys.answer(message.id, answerOf(message)));
        return yield* Effect.fromResult(receiptOf(answerOf(message)));
      });

      const limits = Effect.fn("MessageSender.limits")(function* (account: AccountId) {
        const known = yield* transport.maxMessageBytes(account);
        return {
          maxMessageBytes: Math.min(
            MAX_MESSAGE_BYTES,
            Option.getOrElse(known, () => MAX_MESSAGE_BYTES),
          ),
          maxAttachmentBytes: MAX_ATTACHMENT_BYTES,
          maxAttachments: MAX_ATTACHMENTS,
          maxRecipients: MAX_RECIPIENTS,
          ...settings.rates,
        };
      });

      return MessageSender.of({ send, limits });
    }),
  );
}
