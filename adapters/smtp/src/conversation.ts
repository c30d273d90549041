import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type AttemptOutcome,
  type FailureReason,
  needsSmtpUtf8,
  type RecipientReplies,
  type SmtpReply,
  type Submission,
} from "@postern/core/send";
import { Cause, Data, Effect, Fiber, Stream } from "effect";
import type SMTPConnection from "nodemailer/lib/smtp-connection";
import { step } from "./connect.ts";
import {
  envelopeAnswers,
  isAlive,
  setSilenceTimeout,
  sizeLimit,
  supports,
  unwrittenBytes,
} from "./nodemailer-internals.ts";
import { failureOf, type SmtpError } from "./smtp-failure.ts";
import { smtpReply } from "./smtp-reply.ts";
import type { SmtpSettings } from "./SmtpOptions.ts";

const ACCEPTED: SmtpReply = { code: 250, enhanced: null, text: "accepted" };
const NO_SMTPUTF8: SmtpReply = {
  code: 553,
  enhanced: "5.6.7",
  text: "the server does not support addresses with non-ASCII characters",
};

/** The outcome of an attempt on one connection. */
export interface Conversation {
  readonly outcome: AttemptOutcome;
  /** Whether the server answered the first command of the message. */
  readonly began: boolean;
  /** Whether a command of the envelope timed out without an answer of the server. */
  readonly stalled: boolean;
}

/**
 * Sends one message on a signed-in connection (spec 6). Nodemailer sends the dot when the stream of the message ends,
 * so the stream ends only after `beforeDot` returned true. Otherwise the connection is closed.
 */
export const converse = Effect.fnUntraced(function* (
  connection: SMTPConnection,
  submission: Submission,
  beforeDot: (replies: RecipientReplies) => Effect.Effect<boolean>,
  { timeouts }: SmtpSettings,
): Effect.fn.Return<Conversation> {
  const run = Effect.runForkWith(yield* Effect.context<never>());
  const limit = sizeLimit(connection);
  if (limit !== undefined && submission.size > limit) return refusedConversation({ _tag: "TooLarge", limit });
  const [possible, impossible] = byPossibility(connection, submission);
  if (possible.length === 0) return refusedConversation({ _tag: "RecipientsRefused", replies: impossible });

  let [dotSent, replied] = [false, false];
  let broken: FailureReason | undefined;
  let writing: Fiber.Fiber<void> | undefined;
  const answers = () => new Map([...impossible, ...answersOf(connection)]);
  const writeUntilMarked = Effect.fnUntraced(function* (data: Writable) {
    yield* Effect.tapCause(
      Stream.runForEach(submission.message, (part) => write(data, part)),
      (cause) => Effect.sync(() => void (Cause.hasInterrupts(cause) || (broken = "busy"))),
    );
    while (isAlive(connection) && unwrittenBytes(connection) > 0) yield* LIVE_PAUSE;
    const isMarked = isAlive(connection) && (yield* Effect.uninterruptible(beforeDot(answers())));
    if (!isMarked || replied || !isAlive(connection)) return yield* new DotWithheld();
    dotSent = true;
    setSilenceTimeout(connection, timeouts.dot);
    data.end();
  });

  const envelope = {
    from: submission.from,
    to: [...possible],
    size: submission.size,
    dsn: { id: submission.envelopeId, return: "headers", notify: ["failure", "delay"] },
  };
  const sending = step<unknown>(connection, (done) => {
    const fail = (cause: Cause.Cause<Error>) => Effect.sync(() => done(Cause.squash(cause) as Error, undefined));
    const source = { pipe: (data: Writable) => void (writing = run(Effect.catchCause(writeUntilMarked(data), fail))) };
    connection.send(envelope, source as unknown as Readable, (error, info) => {
      replied = true;
      done(error, info);
    });
  }).pipe(Effect.onExit(() => (writing === undefined ? Effect.void : Fiber.interrupt(writing))));
  setSilenceTimeout(connection, timeouts.command);
  const outcome = yield* Effect.matchEffect(sending, {
    onSuccess: (info) => {
      const { response } = info as { readonly response: string };
      if (dotSent) return Effect.succeed<AttemptOutcome>({ _tag: "Answered", reply: smtpReply(response) });
      connection.close();
      return Effect.succeed(notSent("protocol", "the server accepted a message before its end"));
    },
    onFailure: (error) =>
      Effect.sync(() => {
        const { reason, detail } = failureOf(error);
        return (
          outcomeOf(error, dotSent, answers()) ??
          (dotSent ? unknownOutcome(reason, detail) : notSent(broken ?? reason, detail))
        );
      }),
  });
  const stalled = writing === undefined && outcome._tag === "NotSent" && outcome.reason === "timeout";
  return { outcome, began: hasBegun(connection, outcome), stalled };
});

const refusedConversation = (outcome: AttemptOutcome): Conversation => ({ outcome, began: true, stalled: false });
const notSent = (reason: FailureReason, detail: string): AttemptOutcome => ({ _tag: "NotSent", reason, detail });
const unknownOutcome = (reason: FailureReason, detail: string): AttemptOutcome => ({ _tag: "Unknown", reason, detail });

/** The error of a withheld dot: the mark was not stored, or the connection was lost before. */
class DotWithheld extends Data.TaggedError("DotWithheld") {}

/** Waits in real time, even if a test's clock stands still. */
const LIVE_PAUSE = Effect.promise(() => sleep(2));

/** Writes a part of a message; waits while too much is buffered. */
const write = (data: Writable, part: Uint8Array): Effect.Effect<void> =>
  Effect.suspend(() =>
    data.write(part) ? Effect.void : Effect.promise((signal) => once(data, "drain", { signal }).catch(() => {})),
  );

/**
 * Splits the recipients into those whose address can be sent to the server and those whose address cannot; this code
 * makes the replies for the second group.
 */
const byPossibility = (connection: SMTPConnection, { from, recipients }: Submission) => {
  const takesUtf8 = supports(connection, "SMTPUTF8");
  const isPossible = (address: string) => takesUtf8 || !(needsSmtpUtf8(address) || needsSmtpUtf8(from));
  const impossible = recipients.filter((address) => !isPossible(address));
  return [recipients.filter(isPossible), new Map(impossible.map((address) => [address, NO_SMTPUTF8]))] as const;
};

const answersOf = (connection: SMTPConnection): ReadonlyArray<readonly [string, SmtpReply]> => {
  const { accepted, rejectedErrors } = envelopeAnswers(connection);
  return [
    ...accepted.map((address) => [address, ACCEPTED] as const),
    ...rejectedErrors.map(({ recipient, response }) => [recipient ?? "", smtpReply(response ?? "")] as const),
  ];
};

/** Returns the outcome of a refusal, which depends on the refused command; undefined without a reply. */
const outcomeOf = (error: SmtpError, dotSent: boolean, replies: RecipientReplies): AttemptOutcome | undefined => {
  const { response, command, code } = error;
  if (code === "EENVELOPE" && command === "RCPT TO") return { _tag: "RecipientsRefused", replies };
  if (!response || smtpReply(response).code < 400) return undefined;
  const reply = smtpReply(response);
  if (command === "MAIL FROM") return { _tag: "SenderRefused", reply };
  if (command !== "DATA") return undefined;
  return dotSent && code === "EMESSAGE" ? { _tag: "Answered", reply } : { _tag: "MessageRefused", reply };
};

const hasBegun = (connection: SMTPConnection, outcome: AttemptOutcome): boolean =>
  outcome._tag !== "NotSent" || answersOf(connection).length > 0;
