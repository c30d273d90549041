import { Cause, Clock, Context, Deferred, Duration, Effect, Exit, Fiber, Layer, Option, Scope } from "effect";
import { credentialRelease, Fingerprints } from "../auth/index.ts";
import type { MailboxAccessError } from "../mail/index.ts";
import type { Lease } from "../shared/index.ts";
import type { AttemptOutcome, RecipientReplies } from "./AttemptOutcome.ts";
import { messageDelivery } from "./message-delivery.ts";
import { OutgoingCommits } from "./OutgoingCommits.ts";
import { LEASE_MILLIS } from "./limits.ts";
import type { OutgoingContents } from "./OutgoingContents.ts";
import type { CopyFailure, OutgoingMessage } from "./OutgoingMessage.ts";
import { has, isFinished, stateOf } from "./outgoing-state.ts";
import { abandon, copied, mark, reap, settle } from "./outgoing-transitions.ts";
import { OutgoingJournal } from "./ports/OutgoingJournal.ts";
import { SentFolder } from "./ports/SentFolder.ts";
import { answerOf, type SendAnswer } from "./send-answer.ts";
import { messageWriting, type WrittenMessage } from "./written-message.ts";

/** How often a lease is renewed. */
const RENEW_MILLIS = 10_000;
/** How long attempts under way may go on where nobody drained them before. */
const GRACE = Duration.seconds(10);

/** The client that waits for the first attempt, for as long as it does. */
export interface WaitingClient {
  waits: boolean;
  /** Whether its request may be repeated under a key. */
  readonly hasKey: boolean;
  readonly answer: Deferred.Deferred<SendAnswer>;
}

/** Works on messages under a lease: the attempt that is due, and the copy in Sent (decisions 6). */
export class OutgoingAttempts extends Context.Service<
  OutgoingAttempts,
  {
    /** Begins, in a fiber of its own, what is due of a message, and gives its lease back; `ended` runs in any case. */
    readonly start: (
      message: OutgoingMessage,
      lease: Lease,
      given: {
        readonly client?: WaitingClient;
        /** What it says, where that is at hand. */
        readonly contents?: OutgoingContents;
        readonly ended?: Effect.Effect<void>;
      },
    ) => Effect.Effect<void>;
    /** Waits until no attempt is under way, and interrupts those that still are after this time. */
    readonly drain: (within: Duration.Input) => Effect.Effect<void>;
  }
>()("@postern/core/send/OutgoingAttempts") {
  static readonly layer = Layer.effect(
    OutgoingAttempts,
    Effect.gen(function* () {
      const journal = yield* OutgoingJournal;
      const fingerprints = yield* Fingerprints;
      const { commit, commitPatiently } = yield* OutgoingCommits;
      const deliver = yield* messageDelivery;
      const sentFolder = yield* SentFolder;
      const writing = yield* messageWriting;
      const releaseCredential = yield* credentialRelease;

      /** Holds on to a lease, which says until when it is held. */
      const renewing = (id: string, held: { readonly token: string; until: number }) =>
        Clock.currentTimeMillis.pipe(
          Effect.flatMap((now) => {
            const renewed = { token: held.token, until: now + LEASE_MILLIS };
            const until = (isHeld: boolean) => Effect.sync(() => void (isHeld && (held.until = renewed.until)));
            return Effect.flatMap(journal.renew(id, renewed), until);
          }),
          Effect.catchCause((cause) => Effect.logWarning("a lease was not renewed", cause)),
          Effect.delay(RENEW_MILLIS),
          Effect.forever,
        );

      const logAttempt = (message: OutgoingMessage) =>
        Effect.logInfo("message attempted", {
          id: message.id,
          account: fingerprints.ofAccount(message.account),
          state: stateOf(message, false),
          reason: message.failure?.reason ?? null,
        });

      const attempt = Effect.fnUntraced(function* (
        message: OutgoingMessage,
        token: string,
        written: WrittenMessage,
        client: WaitingClient | undefined,
        marked: (message: OutgoingMessage) => void,
      ) {
        const contents = yield* written.contents;
        let current = message;
        const beforeDot = (replies: RecipientReplies) => {
          const transition = mark(message, replies);
          return commit(transition, token, "keep").pipe(
            Effect.tap((kept) =>
              Effect.sync(() => {
                if (kept) marked((current = transition.message));
              }),
            ),
            Effect.catch((error) => Effect.as(Effect.logWarning("a message could not be marked", error), false)),
          );
        };
        const exit = Option.isNone(contents)
          ? undefined
          : yield* Effect.exit(deliver(message, contents.value.size, written.bytes(contents.value, false), beforeDot));
        if (exit !== undefined && Exit.isFailure(exit)) {
          if (Cause.hasInterrupts(exit.cause)) return yield* Effect.failCause(exit.cause);
          yield* Effect.logError("an attempt broke", exit.cause);
        }
        const outcome: AttemptOutcome =
          exit !== undefined && Exit.isSuccess(exit)
            ? exit.value
            : { _tag: has(current, "dot") ? "Unknown" : "NotSent", reason: "protocol", detail: "the attempt broke" };
        const now = yield* Clock.currentTimeMillis;
        const transition =
          exit === undefined
            ? abandon(message, "contents_lost", "what was to be sent is no longer there")
            : outcome._tag === "AuthRefused" && client?.waits === true
              ? abandon(current, "smtp_auth_failed", "the SMTP server refuses the password kept for this account")
              : settle(current, outcome, now);
        const answer = answerOf(transition.message);
        const along = client?.hasKey === true ? { answer } : {};
        const kept = yield* commitPatiently(transition, token, "keep", along);
        if (kept) yield* logAttempt(transition.message);
        else yield* Effect.logWarning("a lease was lost during an attempt", { id: message.id });
        if (client !== undefined) yield* Deferred.succeed(client.answer, answer);
        return kept ? transition.message : undefined;
      });

      const copy = Effect.fnUntraced(function* (
        message: OutgoingMessage,
        written: WrittenMessage,
        absentUntil: number,
      ) {
        const contents = yield* written.contents;
        const failure = yield* Option.match(contents, {
          onNone: () => Effect.succeed(null),
          onSome: (found) =>
            sentFolder.keep(message.account, message.messageId, written.bytes(found, true), absentUntil).pipe(
              Effect.as(null),
              Effect.catch((error) => Effect.as(Effect.logWarning("no copy in Sent yet", error), copyFailure(error))),
            ),
        });
        return copied(message, failure, yield* Clock.currentTimeMillis);
      });

      const work = Effect.fn("OutgoingAttempts.work")(function* (
        claimed: OutgoingMessage,
        { token, until }: Lease,
        client: WaitingClient | undefined,
        given: OutgoingContents | undefined,
      ) {
        const held = { token, until };
        const written = writing(claimed, given);
        let saved = claimed;
        const giveBack = Effect.suspend(() =>
          has(saved, "dot") ? Effect.void : journal.save(saved, token, "give back"),
        );
        yield* Effect.gen(function* () {
          const reaped = reap(claimed);
          if (reaped.news.length > 0 && !(yield* commit(reaped, token, "keep"))) return;
          saved = reaped.message;
          const now = yield* Clock.currentTimeMillis;
          if (saved.attemptAt !== null && saved.attemptAt <= now) {
            const after = yield* attempt(saved, token, written, client, (marked) => (saved = marked));
            if (after === undefined) return;
            saved = after;
          }
          const due = saved.copy.at;
          if (due !== null && due <= (yield* Clock.currentTimeMillis)) {
            // Owed since this attempt, so nobody but who takes the lease over can have made it.
            const isFirst = claimed.copy.at === null;
            saved = yield* copy(saved, written, isFirst ? held.until - RENEW_MILLIS : 0);
          }
          const mayHoldFiles = Option.match(yield* written.contents, {
            onNone: () => true,
            onSome: ({ attachments }) => attachments.length > 0,
          });
          yield* commitPatiently({ message: saved, news: [] }, token, "give back", { mayHoldFiles });
          if (isFinished(saved)) yield* releaseCredential(saved.account);
        }).pipe(
          Effect.onInterrupt(() => Effect.ignore(giveBack)),
          Effect.catch((error) => Effect.logWarning("a message waits until its lease ends", error)),
          Effect.raceFirst(renewing(claimed.id, held)),
        );
      });

      const running = yield* Scope.make();
      const fibers = new Set<Fiber.Fiber<void>>();
      const drain = Effect.fn("OutgoingAttempts.drain")(function* (within: Duration.Input) {
        const allEnded = Effect.whileLoop({
          while: () => fibers.size > 0,
          body: () => Fiber.awaitAll(fibers),
          step: () => {},
        });
        yield* Effect.timeoutOption(Effect.interruptible(allEnded), within);
        yield* Scope.close(running, Exit.void);
      });
      yield* Effect.addFinalizer(() => drain(GRACE));

      const start: OutgoingAttempts["Service"]["start"] = (message, lease, { client, contents, ended }) =>
        work(message, lease, client, contents).pipe(
          Effect.catchCause((cause) => Effect.logError("work on a message broke", cause)),
          Effect.ensuring(ended ?? Effect.void),
          Effect.forkIn(running),
          Effect.map((fiber) => {
            fibers.add(fiber);
            fiber.addObserver(() => void fibers.delete(fiber));
          }),
          Effect.uninterruptible,
        );

      return OutgoingAttempts.of({ start, drain });
    }),
  );
}

const copyFailure = (error: MailboxAccessError): CopyFailure => {
  if (error._tag === "MailServerError") return { reason: error.reason, detail: error.detail };
  return error._tag === "StoreUnavailable"
    ? { reason: "database_unavailable", detail: "the database was away" }
    : { reason: "mailbox_credentials_rejected", detail: "the mail server refuses the kept password" };
};
