import { type Message, type MessageAnswer, PosternApi, RangeUnsatisfiable } from "@postern/api";
import { headerOf, Messages, type ReadMessage } from "@postern/core";
import { Effect, Result } from "effect";
import { HttpApiBuilder } from "effect/http-api";
import { answer } from "../answer.ts";
import { currentAccount } from "../current-account.ts";
import { emailOf } from "../email-of.ts";
import { listing } from "../listing.ts";
import { RequestId } from "../RequestId.ts";
import { sendBytes } from "../send-bytes.ts";

/** Decisions 5. */
export const MessagesHandlers = HttpApiBuilder.group(
  PosternApi,
  "messages",
  Effect.fn(function* (handlers) {
    const messages = yield* Messages;
    return handlers.handleAll({
      read: ({ params: { id } }) =>
        currentAccount.pipe(
          Effect.flatMap((account) => answer(messages.read(account, id))),
          Effect.map((message) => listing<typeof MessageAnswer.Type>({ ok: true, data: messageOf(message) })),
        ),
      raw: ({ params: { id }, headers }) =>
        currentAccount.pipe(
          Effect.flatMap((account) =>
            answer(Effect.flatMap(messages.raw(account, id), (bytes) => sendBytes(bytes, headers))),
          ),
          Effect.flatMap(orOutside),
        ),
      attachment: ({ params: { id, attachmentId }, headers }) =>
        currentAccount.pipe(
          Effect.flatMap((account) =>
            answer(
              Effect.flatMap(messages.attachment(account, id, attachmentId), (bytes) => sendBytes(bytes, headers)),
            ),
          ),
          Effect.flatMap(orOutside),
        ),
    });
  }),
);

const orOutside = <A>(sent: A | "outside") =>
  sent === "outside"
    ? Effect.flatMap(RequestId, (requestId) => Effect.fail(new RangeUnsatisfiable({ requestId })))
    : Effect.succeed(sent);

const messageOf = (message: ReadMessage): typeof Message.Type => {
  const { headers, text, html, blocked } = Result.getOrElse(message.parsed, () => NOTHING);
  return {
    ...emailOf({ id: message.id, message: message.summary }, message.path),
    attachments: message.attachments,
    replyTo: headerOf(headers, "Reply-To"),
    inReplyTo: message.inReplyTo,
    references: message.references,
    headers: headers.map(([name, value]) => ({ name, value })),
    text,
    html,
    blockedRemote: blocked,
    truncated: message.truncated,
    parsed: Result.isSuccess(message.parsed),
    parseFault: Result.isFailure(message.parsed) ? message.parsed.failure.reason : null,
    rawUrl: `/api/messages/${message.id}/raw`,
  };
};

const NOTHING = { headers: [], text: null, html: null, blocked: 0 };
