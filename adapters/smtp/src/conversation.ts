import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type AttemptOutcome,
  type FailureReason,
  needsSmtpUtf8,
  type RecipientReplies,
  type SmtpReply,
  type Submission,
} from "@postern/core/send";
import { type Context, Effect, Stream } from "effect";
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

/** The outcome of an attempt on one connection; `began` if the server answered the first command of the message. */
export interface Conversation {
  readonly outcome: AttemptOutcome;
  readonly began: boolean;
}

/**
 * Sends one message on a signed-in connection (spec 6). nodemailer sends the dot when the message stream ends, so the
 * stream ends only after `beforeDot` returned true; otherwise it fails, which closes the connection.
 */
export const converse = Effect.fnUntraced(function* (
  connection: SMTPConnection,
  submission: Submission,
  beforeDot: (replies: RecipientReplies) => Effect.Effect<boolean>,
  { timeouts }: SmtpSettings,
): Effect.fn.Return<Conversation> {
  const context = yield* Effect.context<never>();
  const limit = sizeLimit(connection);
  if (limit !== undefined && submission.size > limit) return refused({ _tag: "TooLarge", limit });
  const [possible, impossible] = byPossibility(connection, submission);
  if (possible.length === 0) return refused({ _tag: "RecipientsRefused", replies: impossible });

  let dotSent = false;
  let broken: FailureReason | undefined;
  const answers = () => new Map([...impossible, ...answersOf(connection)]);
  const untilMarked = async function* (): AsyncGenerator<Uint8Array> {
    try {
      yield* Stream.toAsyncIterableWith(submission.message, context);
    } catch (error) {
      broken = "busy";
      throw error;
    }
    while (isAlive(connection) && unwrittenBytes(connection) > 0) await sleep(2);
    const isMarked = isAlive(connection) && (await runWith(context, beforeDot(answers())));
    if (!isMarked || !isAlive(connection)) throw new Error("no dot");
    dotSent = true;
    setSilenceTimeout(connection, timeouts.dot);
  };

  const envelope = {
    from: submission.from,
    to: [...possible],
    size: submission.size,
    dsn: { id: submission.envelopeId, return: "headers", notify: ["failure", "delay"] },
  };
  const sending = step<unknown>(connection, (done) =>
    connection.send(envelope, Readable.from(untilMarked(), { objectMode: false }), done),
  );
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
          (dotSent ? unknown(reason, detail) : notSent(broken ?? reason, detail))
        );
      }),
  });
  return { outcome, began: hasBegun(connection, outcome) };
});

const refused = (outcome: AttemptOutcome): Conversation => ({ outcome, began: true });
const notSent = (reason: FailureReason, detail: string): AttemptOutcome => ({ _tag: "NotSent", reason, detail });
const unknown = (reason: FailureReason, detail: string): AttemptOutcome => ({ _tag: "Unknown", reason, detail });

const runWith = <A>(context: Context.Context<never>, effect: Effect.Effect<A>): Promise<A> =>
  Effect.runPromiseWith(context)(effect);

/** Splits the recipients into those the server can be asked about and the others with their replies. */
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

/** Returns the outcome of a refusal by the command it answered; undefined without a reply. */
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
