import { Clock, Context, Deferred, Duration, Effect, Fiber, Layer, Option } from "effect";
import { recordOperation } from "../audit/neighbours.ts";
import { Fingerprints } from "../auth/index.ts";
import type { IdempotencyKeyReused } from "../creations/neighbours.ts";
import type { MailboxAccessError } from "../mail/index.ts";
import { MessageChanges, Messages } from "../messages/index.ts";
import { type AccountId, Entropy, type InputInvalid, type Lease, type StoreUnavailable } from "../shared/index.ts";
import { type ApprovalNeeded, checkAgent } from "./agents/check-agent.ts";
import { sentMail } from "./agents/written-to.ts";
import { acceptMessage, type AcceptedMessage, answeringMessage } from "./accept-message.ts";
import { completeAnswer, markAnswered, originalMessages, readAnswered } from "./replies/answered-message.ts";
import { attachmentsOf, uploadStore } from "./uploads/attachments.ts";
import { checkSend, checkSendKey } from "./check-send.ts";
import {
  AutomaticMessage,
  type KeySendRateExceeded,
  type MessageTooLarge,
  type OutsidePolicy,
  SenderBlocked,
  type SenderNotAllowed,
  SendInProgress,
  type SendRateExceeded,
  type SendUnconfirmed,
} from "./errors.ts";
import { Identities } from "./identities/Identities.ts";
import { findAnswer, journalMessage, keyedRequest, messageJournal } from "./journal-message.ts";
import { LEASE, MAX_ATTACHMENT_BYTES, MAX_ATTACHMENTS, MAX_MESSAGE_BYTES, MAX_RECIPIENTS } from "./limits.ts";
import { OutgoingAttempts } from "./outgoing/OutgoingAttempts.ts";
import type { OutgoingMessage } from "./outgoing/OutgoingMessage.ts";
import { OutgoingWorker } from "./outgoing/OutgoingWorker.ts";
import { MailTransport } from "./ports/MailTransport.ts";
import { readSendRequest } from "./read-send-request.ts";
import { answerOf, receiptOf, type SendAnswer, type SendFailure, type SendReceipt } from "./send-answer.ts";
import type { SendingKey } from "./send-quota.ts";
import { maySend } from "./identities/choose-sender.ts";
import type { SendLimits } from "./SendLimits.ts";
import type { SendRequest } from "./SendRequest.ts";
import { SendSettings } from "./SendSettings.ts";

/** How long a client waits for the first attempt (spec 6). */
const PATIENCE = Duration.seconds(15);

export type SendError =
  | InputInvalid
  | MessageTooLarge
  | SenderBlocked
  | SenderNotAllowed
  | AutomaticMessage
  | ApprovalNeeded
  | OutsidePolicy
  | SendRateExceeded
  | KeySendRateExceeded
  | IdempotencyKeyReused
  | SendInProgress
  | SendFailure
  | SendUnconfirmed
  | MailboxAccessError;

/** Sends messages (spec 6.2). Journals each message first, so that none is lost or sent twice. */
export class MessageSender extends Context.Service<
  MessageSender,
  {
    /**
     * Sends a message; returns after the first attempt, or after 15 seconds with the message queued. If the request has
     * a service key, the message belongs to that key and counts against its limit. Fails with `ApprovalNeeded` if the
     * key's policy requires an approval. `within` runs in the transaction that journals the message, and replaces the
     * message's audit entry.
     */
    readonly send: <E = never>(
      account: AccountId,
      request: SendRequest,
      key: string | undefined,
      by?: SendingKey | null,
      within?: (message: OutgoingMessage) => Effect.Effect<void, E | StoreUnavailable>,
    ) => Effect.Effect<SendReceipt, SendError | E>;
    /** Returns the limits on sending of an account; sizes in bytes. */
    readonly limits: (account: AccountId) => Effect.Effect<SendLimits>;
  }
>()("@postern/core/send/MessageSender") {
  static readonly layer = Layer.effect(
    MessageSender,
    Effect.gen(function* () {
      const { policy, rates, retries, baseUrl } = yield* SendSettings;
      const messages = yield* Messages;
      const changes = yield* MessageChanges;
      const identities = yield* Identities;
      const transport = yield* MailTransport;
      const attempts = yield* OutgoingAttempts;
      const worker = yield* OutgoingWorker;
      const entropy = yield* Entropy;
      const fingerprints = yield* Fingerprints;
      const originals = yield* originalMessages;
      const uploads = yield* uploadStore;
      const stores = yield* messageJournal;
      const scope = yield* Effect.scope;
      const agents = { mail: yield* sentMail, identities };

      /** Reads a request and the records to which it refers: its sender, the message that it answers, and its files. */
      const read = Effect.fnUntraced(function* (account: AccountId, request: SendRequest, now: number) {
        const wanted = yield* Effect.fromResult(
          readSendRequest(yield* completeAnswer(messages, account, request), now, false, retries.expiresAfter),
        );
        if (!maySend(policy, account)) return yield* new SenderBlocked();
        const sender = yield* identities.sender(account, request.from);
        const answered = yield* readAnswered(originals, account, request);
        if (answered.isAutomatic && request.force !== true) return yield* new AutomaticMessage();
        const named = yield* attachmentsOf(uploads, account, wanted, now);
        return {
          wanted: answeringMessage(wanted, answered),
          answered,
          sender,
          attachments: [...named, ...answered.attachments],
          namedFiles: named.length,
        };
      });

      /**
       * Makes the first attempt at a message, and marks the message that it answers. Returns the outcome of the attempt;
       * after 15 seconds without an outcome, returns that the message is queued. Both continue if the client disconnects.
       */
      const attempt = Effect.fnUntraced(function* (
        { message, contents }: AcceptedMessage,
        lease: Lease,
        hasKey: boolean,
        request: SendRequest,
        interruptible: <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>,
      ) {
        const client = { waits: true, hasKey, answer: yield* Deferred.make<SendAnswer>() };
        yield* worker.adopt(message.id, lease, (held) => attempts.work(message, held, { client, contents }));
        const mark = markAnswered(originals.locator, changes, message.account, request);
        const marking = yield* Effect.forkIn(Effect.interruptible(mark), scope);
        const answer = yield* Fiber.await(marking).pipe(
          Effect.andThen(Effect.timeoutOption(Deferred.await(client.answer), PATIENCE)),
          interruptible,
          Effect.ensuring(Effect.sync(() => void (client.waits = false))),
        );
        if (Option.isSome(answer)) return answer.value;
        const queued = answerOf(message);
        // If this write fails, a repeated request is answered from the journal.
        if (hasKey) yield* Effect.ignore(stores.idempotencyKeys.answer(message.id, queued));
        return queued;
      });

      const recordSend = ({ account, id }: OutgoingMessage) => recordOperation("send.send", { account, target: id });

      const send = Effect.fn("MessageSender.send")(function* <E = never>(
        account: AccountId,
        request: SendRequest,
        key: string | undefined,
        by: SendingKey | null = null,
        within: (message: OutgoingMessage) => Effect.Effect<void, E | StoreUnavailable> = recordSend,
      ): Effect.fn.Return<SendReceipt, SendError | E> {
        yield* checkSend(request);
        yield* checkSendKey({ "idempotency-key": key });
        const now = yield* Clock.currentTimeMillis;
        const keyed = keyedRequest(fingerprints, account, request, key);
        const before = yield* findAnswer(stores, keyed, now);
        if (before !== undefined) return yield* Effect.fromResult(receiptOf(before));

        const asked = yield* read(account, request, now);
        const { sender, attachments, namedFiles } = asked;
        const policy = by?.policy ?? null;
        const wanted = policy === null ? asked.wanted : yield* checkAgent(agents, account, policy, asked, now);
        const accepted = yield* Effect.fromResult(
          acceptMessage(account, wanted, sender, attachments, {
            id: `out_${yield* entropy.id(128)}`,
            trackingId: yield* entropy.id(128),
            baseUrl,
            now,
            author: by === null ? null : { key: by.id, application: by.application },
          }),
        );

        const { message } = accepted;
        const token = yield* entropy.id(128);
        // Reading the answered message and the files may take long, so the lease begins when the row is written.
        const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(LEASE);
        const lease = message.scheduledFor === null ? { token, until } : null;
        const writes = { accepted, lease, keyed, by, rates, namedFiles, within: within(message) };
        // If the client disconnects after the commit and before the attempt, the message must not wait for its lease to end.
        const answer = yield* Effect.uninterruptibleMask((restore) =>
          Effect.gen(function* () {
            if (!(yield* journalMessage(stores, writes))) return yield* findAnswer(stores, keyed, now);
            if (lease === null) return answerOf(message);
            return yield* attempt(accepted, lease, keyed !== null, request, restore);
          }),
        );
        return yield* answer === undefined ? new SendInProgress() : Effect.fromResult(receiptOf(answer));
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
          ...rates,
        };
      });

      return MessageSender.of({ send, limits });
    }),
  );
}
