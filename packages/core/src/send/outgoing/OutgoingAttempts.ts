import { Cause, Clock, Context, Deferred, Duration, Effect, Exit, Layer, Metric, Option, Stream } from "effect";
import { CredentialRelease, Fingerprints } from "../../auth/index.ts";
import type { MailEvent } from "../../events/index.ts";
import type { MailboxAccessError } from "../../mail/index.ts";
import { type HeldLease, endUnlessHeld, isHeld } from "../../shared/neighbours.ts";
import { hasRecipient, isFinished, nextAttemptAt, PAUSES, stateOf } from "./outgoing-state.ts";
import type { AttemptOutcome, RecipientReplies } from "./AttemptOutcome.ts";
import { commitTransition, commitWithRetries, eventsOf, transitionWriter } from "./commit-transition.ts";
import { RENEW_EVERY } from "../limits.ts";
import type { OutgoingContents } from "./OutgoingContents.ts";
import type { CopyFailure, OutgoingMessage } from "./OutgoingMessage.ts";
import { abandon, mark, reap, settle, settleCopy, unmark } from "./outgoing-transitions.ts";
import { carryOut } from "./holds.ts";
import { messageSources, openMessage, type WrittenMessage } from "./open-message.ts";
import { OutgoingJournal } from "../ports/OutgoingJournal.ts";
import { SentFolder } from "../ports/SentFolder.ts";
import { answerOf, type SendAnswer } from "../send-answer.ts";
import { SendSettings } from "../SendSettings.ts";
import { ServerOutages } from "./ServerOutages.ts";
import { replaceProbe } from "./server-probes.ts";
import { messageSubmission, submitMessage } from "./submit-message.ts";

/** The client that waits for the first attempt; `waits` becomes false once it stops waiting. */
export interface WaitingClient {
  waits: boolean;
  /** Whether the request has an idempotency key. */
  readonly hasKey: boolean;
  readonly answer: Deferred.Deferred<SendAnswer>;
}

/** Makes the due attempts and the due copies in Sent, under a lease (spec 6). */
export class OutgoingAttempts extends Context.Service<
  OutgoingAttempts,
  {
    /** Makes the due attempt and the due copy of a message under a renewed lease, then releases the lease. */
    readonly work: (
      message: OutgoingMessage,
      held: HeldLease,
      given?: {
        readonly client?: WaitingClient;
        /** The contents, if they are already read. */
        readonly contents?: OutgoingContents;
      },
    ) => Effect.Effect<void>;
  }
>()("@postern/core/send/outgoing/OutgoingAttempts") {
  static readonly layer = Layer.effect(
    OutgoingAttempts,
    Effect.gen(function* () {
      const fingerprints = yield* Fingerprints;
      const { retries } = yield* SendSettings;
      const journal = yield* OutgoingJournal;
      const outages = yield* ServerOutages;
      const sentFolder = yield* SentFolder;
      const sources = yield* messageSources;
      const submission = yield* messageSubmission;
      const writer = yield* transitionWriter;
      const { release: releaseCredential } = yield* CredentialRelease;

      yield* Effect.forEach(["sent", "queued", "failed", "unknown"], (result) => countResult(result, 0));

      const logAttempt = Effect.fnUntraced(function* (message: OutgoingMessage) {
        const state = stateOf(message, false);
        yield* countResult(state, 1);
        yield* Effect.logInfo("message attempted", {
          id: message.id,
          account: fingerprints.ofAccount(message.account),
          state,
          reason: message.failure?.reason ?? null,
        });
      });

      const attempt = Effect.fnUntraced(function* (
        message: OutgoingMessage,
        held: HeldLease,
        written: WrittenMessage,
        client: WaitingClient | undefined,
        marked: (message: OutgoingMessage) => void,
      ) {
        const { token } = held;
        const contents = yield* written.contents;
        let current = message;
        let unconfirmed: ReadonlyArray<MailEvent> = [];
        const beforeDot = Effect.fnUntraced(function* (replies: RecipientReplies) {
          const transition = mark(message, replies);
          const events = yield* eventsOf(writer, transition);
          const kept = yield* Effect.result(
            commitTransition(writer, { ...transition, changes: [] }, token, "keep", { events }),
          );
          if (kept._tag === "Failure") {
            yield* Effect.logWarning("marking a message before its dot failed", kept.failure);
            // The database may have committed the mark. In either case, refused recipients stay refused and are
            // announced once.
            current = unmark(transition.message);
            unconfirmed = events;
            return false;
          }
          if (kept.success) marked((current = transition.message));
          return kept.success && (yield* isHeld(held));
        });
        const exit = Option.isNone(contents)
          ? undefined
          : yield* Effect.exit(
              submitMessage(submission, message, held, contents.value.size, written.bytes(contents.value), beforeDot),
            );
        if (exit !== undefined && Exit.isFailure(exit)) {
          if (Cause.hasInterrupts(exit.cause)) return yield* Effect.failCause(exit.cause);
          yield* Effect.logError("attempt failed with a defect", exit.cause);
        }
        const outcome: AttemptOutcome =
          exit !== undefined && Exit.isSuccess(exit)
            ? exit.value
            : {
                _tag: hasRecipient(current, "dot") ? "Unknown" : "NotSent",
                reason: "protocol",
                detail: "internal error during the attempt",
              };
        const now = yield* Clock.currentTimeMillis;
        const transition =
          exit === undefined
            ? abandon(message, "contents_lost", "the contents of the message are missing")
            : outcome._tag === "AuthRefused" && client?.waits === true
              ? abandon(current, PAUSES.AuthRefused.reason, PAUSES.AuthRefused.detail)
              : settle(current, outcome, now, retries);
        const answer = answerOf(transition.message);
        const options = { events: unconfirmed, ...(client?.hasKey === true ? { answer } : {}) };
        const kept = yield* commitWithRetries(writer, transition, token, "keep", options);
        if (kept) yield* logAttempt(transition.message);
        else yield* Effect.logWarning("lease lost during an attempt", { id: message.id });
        if (client !== undefined) yield* Deferred.succeed(client.answer, answer);
        yield* outages.observe(message, outcome);
        return kept ? transition.message : undefined;
      });

      const copy = Effect.fnUntraced(function* (
        message: OutgoingMessage,
        held: HeldLease,
        written: WrittenMessage,
        isFirst: boolean,
      ) {
        const absentUntil = isFirst ? held.until - Duration.toMillis(RENEW_EVERY) : 0;
        const contents = yield* written.contents;
        // A copy made by the server has the Message-ID that the server gave the message.
        const sentId = message.providerMessageId ?? message.messageId;
        const failure = yield* Option.match(contents, {
          onNone: () => Effect.succeed(null),
          onSome: (found) => {
            // The message is read immediately before it is stored.
            const copied = Stream.concat(
              written.copy(found, sentId),
              Stream.drain(Stream.fromEffect(endUnlessHeld(held))),
            );
            return sentFolder.keep(message.account, sentId, copied, absentUntil).pipe(
              Effect.as(null),
              Effect.catch((error) =>
                Effect.as(Effect.logWarning("copying a message to Sent failed", error), copyFailure(error)),
              ),
            );
          },
        });
        return settleCopy(message, failure, yield* Clock.currentTimeMillis, retries);
      });

      const work = Effect.fn("OutgoingAttempts.work")(function* (
        claimed: OutgoingMessage,
        held: HeldLease,
        { client, contents }: { readonly client?: WaitingClient; readonly contents?: OutgoingContents } = {},
      ) {
        const { token } = held;
        const written = openMessage(sources, claimed, contents);
        let saved = claimed;
        let isReleased = false;
        yield* Effect.gen(function* () {
          const reaped = reap(claimed);
          if (reaped.changes.length > 0 && !(yield* commitTransition(writer, reaped, token, "keep"))) return;
          const now = yield* Clock.currentTimeMillis;
          saved = reaped.message;
          if (saved.heldSince !== undefined || saved.asked !== undefined) saved = carryOut(saved, now);
          if ((nextAttemptAt(saved) ?? Infinity) <= now) {
            const after = yield* attempt(saved, held, written, client, (marked) => (saved = marked));
            if (after === undefined) return;
            saved = after;
          }
          const due = saved.copy.at;
          if (due !== null && due <= (yield* Clock.currentTimeMillis)) {
            // The copy became due at this attempt, so only a worker that took over the lease can have stored it.
            const isFirst = claimed.copy.at === null;
            saved = yield* copy(saved, held, written, isFirst);
          }
          const mayHoldFiles = Option.match(yield* written.contents, {
            onNone: () => true,
            onSome: ({ attachments }) => attachments.length > 0,
          });
          isReleased = yield* commitWithRetries(writer, { message: saved, changes: [] }, token, "release", {
            mayHoldFiles,
          });
          if (isFinished(saved)) yield* releaseCredential(saved.account);
        }).pipe(
          Effect.andThen(
            Effect.suspend(() =>
              claimed.waitsFor === undefined || (isReleased && saved.waitsFor === claimed.waitsFor)
                ? Effect.void
                : replaceProbe(journal, claimed.waitsFor),
            ),
          ),
          Effect.catch((error) =>
            Effect.logWarning("message not saved, it is reclaimed when its lease expires", error),
          ),
        );
      });

      return OutgoingAttempts.of({ work });
    }),
  ).pipe(Layer.provide(ServerOutages.layer));
}

const results = Metric.counter("send_results_total", {
  description: "Attempts to send a message, by the state of the message after them",
  incremental: true,
});
const countResult = (result: string, by: number) => Metric.update(Metric.withAttributes(results, { result }), by);

const copyFailure = (error: MailboxAccessError): CopyFailure => {
  if (error._tag === "MailServerError") return { reason: error.reason, detail: error.detail };
  return error._tag === "StoreUnavailable"
    ? { reason: "database_unavailable", detail: "the database was unavailable" }
    : { reason: "mailbox_credentials_rejected", detail: "the mail server refuses the account's password or token" };
};
