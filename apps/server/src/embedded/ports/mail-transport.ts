import type { MailCredential } from "@postern/core/auth";
import { MailCredentials } from "@postern/core/oauth";
import { type AttemptOutcome, MailTransport, type SmtpReply } from "@postern/core/send";
import { Effect, Layer, Option, Redacted, Stream } from "effect";
import type { PosternMailTransport, AttemptResult } from "./PosternMailTransport.ts";

/** Returns the port over a transport of the host. */
export const mailTransport = ({
  send,
  maxMessageBytes,
}: PosternMailTransport): Layer.Layer<MailTransport, never, MailCredentials> =>
  Layer.effect(
    MailTransport,
    Effect.map(MailCredentials, (credentials) => ({
      maxMessageBytes: () => Effect.succeed(Option.fromUndefinedOr(maxMessageBytes)),
      deliver: Effect.fn("MailTransport.deliver")(function* (account, submission, beforeDot) {
        const { from, recipients, size, message, envelopeId, kind } = submission;
        const { credential, version } = yield* credentials.of(account);
        if (maxMessageBytes !== undefined && size > maxMessageBytes)
          return { _tag: "TooLarge", limit: maxMessageBytes };
        const parts = yield* Effect.option(Stream.runCollect(message));
        if (Option.isNone(parts)) return { _tag: "NotSent", reason: "busy", detail: "the message cannot be read" };
        const isWanted = yield* beforeDot(new Map(recipients.map((recipient) => [recipient, NOT_REFUSED])));
        if (!isWanted) return { _tag: "NotSent", reason: "protocol", detail: "the attempt was withdrawn" };
        return yield* Effect.tryPromise(async (signal) =>
          send({
            id: envelopeId,
            account,
            from,
            recipients,
            isNotice: kind === "notice",
            raw: new Uint8Array(Buffer.concat(parts.value)),
            credential: () => secretsOf(credential),
            signal,
          }),
        ).pipe(
          Effect.map((result) => outcomeOf(result, version)),
          Effect.catch(({ cause }) => Effect.succeed(unknownOutcome(String(cause)))),
        );
      }),
    })),
  );

const secretsOf = (credential: MailCredential) =>
  credential._tag === "Password"
    ? { username: credential.username, password: Redacted.value(credential.password) }
    : { username: credential.username, accessToken: Redacted.value(credential.token) };

/** Maximum number of characters of the host's text that are stored. */
const MAX_TEXT_CHARS = 500;

/** The placeholder for the reply to each recipient, because the API gives only one answer. */
const NOT_REFUSED: SmtpReply = { code: 250, enhanced: null, text: "not refused yet" };

const outcomeOf = (answer: AttemptResult, version: number): AttemptOutcome => {
  switch (answer?.result) {
    case "accepted":
      return answeredOutcome(250, answer.detail ?? "accepted");
    case "refused":
      return answeredOutcome(answer.temporary === true ? 451 : 554, answer.detail);
    case "not_sent":
      return { _tag: "NotSent", reason: "unreachable", detail: textOf(answer.detail) };
    case "credential_refused":
      return { _tag: "AuthRefused", version };
    default:
      return unknownOutcome("mailTransport.send returned no result");
  }
};

const answeredOutcome = (code: number, text: string): AttemptOutcome => ({
  _tag: "Answered",
  reply: { code, enhanced: null, text: textOf(text) },
});

const unknownOutcome = (detail: string): AttemptOutcome => ({
  _tag: "Unknown",
  reason: "connection_cut",
  detail: textOf(detail),
});

/** Returns a text that every database can store. */
const textOf = (text: string): string =>
  String(text).slice(0, MAX_TEXT_CHARS).replaceAll("\0", "\uFFFD").toWellFormed();
