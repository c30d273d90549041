import { Clock, Duration, Effect, Option, Schedule } from "effect";
import { ServiceKeys } from "../../auth/index.ts";
import { eventAccount, type EventAccount } from "../../events/neighbours.ts";
import { eventId, EventPublisher, type MailEvent, writeEvent } from "../../events/index.ts";
import { Entropy, OpaqueIds, type StoreUnavailable, Transaction } from "../../shared/index.ts";
import { releaseOf } from "./holds.ts";
import { LEASE } from "../limits.ts";
import type { OutgoingMessage, SmtpReply } from "./OutgoingMessage.ts";
import { isFinished, outboxIdOf, replyStatus, replyText } from "./outgoing-state.ts";
import type { OutgoingChange, Transition } from "./outgoing-transitions.ts";
import { IdempotencyKeys } from "../ports/IdempotencyKeys.ts";
import { OutgoingJournal } from "../ports/OutgoingJournal.ts";
import { UploadRecords } from "../ports/UploadRecords.ts";
import type { SendAnswer } from "../send-answer.ts";
import { probeUnlessAnother } from "./server-probes.ts";
import type { OpenClass, TrackedMessage } from "../opens/opens.ts";

/** Retries for the commit of an outcome while the database is unavailable. */
const STORE_RETRIES = { schedule: Schedule.spaced("1 second"), times: Duration.toSeconds(LEASE) };

/** Further writes in the transaction of a transition. */
export interface CommitOptions {
  /** The answer to store for repeated requests with the same key. */
  readonly answer?: SendAnswer | undefined;
  /** Events of this transition, which are written unless an earlier commit wrote them. */
  readonly events?: ReadonlyArray<MailEvent>;
  /** Whether the message may pin uploads. Pinned uploads are released when the message is finished. By default true. */
  readonly mayHoldFiles?: boolean;
  /** A write of the caller. */
  readonly within?: Effect.Effect<void, StoreUnavailable>;
}

/** The ports and services that commit a transition. */
export const transitionWriter = Effect.all({
  journal: OutgoingJournal,
  publisher: EventPublisher,
  uploadRecords: UploadRecords,
  idempotencyKeys: IdempotencyKeys,
  serviceKeys: ServiceKeys,
  ids: OpaqueIds,
  entropy: Entropy,
  transaction: Transaction,
});
export type TransitionWriter = Effect.Success<typeof transitionWriter>;

/** Returns the events that a transition raises (spec 7), with new ids at each call. */
export const eventsOf = Effect.fnUntraced(function* (
  { ids, entropy }: TransitionWriter,
  { message, changes }: Transition,
): Effect.fn.Return<ReadonlyArray<MailEvent>> {
  if (message.kind === "notice") return [];
  const now = yield* Clock.currentTimeMillis;
  const account = eventAccount(ids, message.account);
  return yield* Effect.forEach(changes, (change) =>
    Effect.map(entropy.id(128), (id) => outgoingEvent(eventId(now, id), account, message, change, now)),
  );
});

/**
 * Commits a transition with its events (spec 6, 7); false without a change if the lease was lost. A message whose lease
 * is released becomes the probe of the server that it waits for, unless the server already has one (spec 6.4), and is
 * no longer held for a suspension that has ended.
 */
export const commitTransition = (
  writer: TransitionWriter,
  transition: Transition,
  token: string,
  lease: "keep" | "release",
  options?: CommitOptions,
): Effect.Effect<boolean, StoreUnavailable> =>
  Effect.flatMap(eventsOf(writer, transition), (events) =>
    commitWith(writer, events, transition.message, token, lease, options),
  );

/**
 * Retries the commit of a transition for as long as a lease lasts. Every retry writes the same events, because a failed
 * commit may have been applied.
 */
export const commitWithRetries = (
  writer: TransitionWriter,
  transition: Transition,
  token: string,
  lease: "keep" | "release",
  options?: CommitOptions,
): Effect.Effect<boolean, StoreUnavailable> =>
  Effect.flatMap(eventsOf(writer, transition), (events) =>
    Effect.retry(commitWith(writer, events, transition.message, token, lease, options), STORE_RETRIES),
  );

const commitWith = Effect.fnUntraced(function* (
  { journal, publisher, uploadRecords, idempotencyKeys, serviceKeys, transaction }: TransitionWriter,
  made: ReadonlyArray<MailEvent>,
  message: OutgoingMessage,
  token: string,
  lease: "keep" | "release",
  { answer, events: before = [], mayHoldFiles = true, within }: CommitOptions = {},
) {
  const events = [...before, ...made];
  const unpins = mayHoldFiles && lease === "release" && isFinished(message);
  const waits = lease === "release" && message.waitsFor !== undefined;
  const isSuspended = lease === "release" && message.heldBy === "suspension";
  if (events.length === 0 && answer === undefined && within === undefined && !unpins && !waits && !isSuspended) {
    return yield* journal.save(message, token, lease);
  }
  return yield* transaction.run(
    Effect.gen(function* () {
      // The save locks the message: a resume that the key does not show yet waits, and then releases the message.
      if (isSuspended && !(yield* journal.save(message, token, "keep"))) return false;
      const held = isSuspended ? yield* heldIfSuspended(serviceKeys, message) : message;
      const saved = waits ? yield* probeUnlessAnother(journal, held) : held;
      if (!(yield* journal.save(saved, token, lease))) return false;
      yield* publisher.publish(events);
      if (answer !== undefined) yield* idempotencyKeys.answer(message.id, answer);
      if (unpins) yield* uploadRecords.unpin([message.id]);
      if (within !== undefined) yield* within;
      return true;
    }),
  );
});

/**
 * Returns a message that is held for a suspension; released if its key is no longer suspended. A deleted key does not
 * tell whether its application is suspended.
 */
const heldIfSuspended = Effect.fnUntraced(function* (keys: ServiceKeys["Service"], message: OutgoingMessage) {
  const key = message.author === undefined ? Option.none() : yield* keys.find(message.author.key);
  return Option.exists(key, ({ suspendedAt }) => suspendedAt === undefined)
    ? releaseOf(message, "suspension", yield* Clock.currentTimeMillis)
    : message;
});

/** Returns the event about an outgoing message (spec 7); `now` in epoch milliseconds. */
const outgoingEvent = (
  id: string,
  account: EventAccount,
  message: OutgoingMessage,
  change: OutgoingChange,
  now: number,
): MailEvent => {
  const { id: outboxId, messageId, from, to, cc, subject } = message;
  switch (change.type) {
    case "email.sent": {
      const renamed = message.providerMessageId === undefined ? {} : { providerMessageId: message.providerMessageId };
      const data = { outboxId, messageId, ...renamed, from, to, toCount: to.length, cc, ccCount: cc.length, subject };
      return writeEvent(id, account, change.type, now, data);
    }
    case "email.bounced":
      return writeEvent(id, account, change.type, now, { ...aboutRecipient(message, change), type: "permanent" });
    case "email.delayed":
      return writeEvent(id, account, change.type, now, { ...aboutRecipient(message, change), type: "transient" });
    case "email.failed":
      return writeEvent(id, account, change.type, now, {
        outboxId,
        messageId,
        state: change.state,
        reason: change.reason,
      });
  }
};

const aboutRecipient = (
  { id, messageId, subject }: OutgoingMessage,
  { recipient, reply }: { readonly recipient: string; readonly reply: SmtpReply | null },
) => ({
  outboxId: id,
  messageId,
  recipient,
  status: reply === null ? null : replyStatus(reply),
  diagnosticCode: reply === null ? null : `smtp; ${replyText(reply)}`,
  reportingMta: null,
  source: "smtp" as const,
  subject,
});

/** Returns the event `email.opened` (spec 7): `openedAt` in ISO 8601, `now` in epoch milliseconds. */
export const openEvent = (
  id: string,
  account: EventAccount,
  { messageId, recipient, opens }: TrackedMessage,
  open: { readonly classification: OpenClass; readonly userAgent: string; readonly openedAt: string },
  now: number,
): MailEvent => {
  const count = Object.values(opens).reduce((sum, { count }) => sum + count, 0);
  const about = { outboxId: outboxIdOf(messageId), messageId, recipient };
  return writeEvent(id, account, "email.opened", now, { ...about, count, first: count === 1, ...open });
};
