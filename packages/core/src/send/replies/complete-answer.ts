import { Effect, Result } from "effect";
import { type MailboxAccessError } from "../../mail/index.ts";
import type { Messages } from "../../messages/index.ts";
import { type AccountId, InputInvalid } from "../../shared/index.ts";
import { forwardSubject, forwardText, replyRecipients, replySubject, answerText } from "./reply-template.ts";
import type { SendRequest } from "../SendRequest.ts";

/**
 * Returns a request with the parts of an answer or a forward that follow from the original message (spec 12.4): a
 * missing subject and text, and in an answer the missing recipients. A request that is neither, or lacks none of them,
 * is returned as it is, without asking the mail server.
 */
export const completeAnswer = Effect.fn("completeAnswer")(function* (
  messages: Messages["Service"],
  account: AccountId,
  request: SendRequest,
): Effect.fn.Return<SendRequest, InputInvalid | MailboxAccessError> {
  const { replyToMessageId, forwardOf, to, subject, text, html } = request;
  const isReply = replyToMessageId !== undefined;
  const id = replyToMessageId ?? forwardOf;
  const lacksText = text === undefined && html === undefined;
  const isComplete = subject !== undefined && !lacksText && (to !== undefined || !isReply);
  if (id === undefined || isComplete || (isReply && forwardOf !== undefined)) return request;

  const field = isReply ? "replyToMessageId" : "forwardOf";
  const { summary, parsed } = yield* Effect.catchTag(
    messages.read(account, id),
    "MessageNotFound",
    () => new InputInvalid({ errors: [{ field, message: "must be the id of a message of this account" }] }),
  );
  const original = Result.getOrElse(parsed, () => ({ headers: [], text: "" }));
  const [subjectOf, textOf] = isReply ? [replySubject, answerText] : [forwardSubject, forwardText];
  return {
    from: request.from,
    to: to ?? (isReply ? replyRecipients(account, summary, original.headers) : undefined),
    cc: request.cc,
    bcc: request.bcc,
    replyTo: request.replyTo,
    subject: subject ?? subjectOf(summary.subject),
    text: lacksText ? textOf(summary, original.text) : text,
    html,
    attachments: request.attachments,
    inReplyTo: request.inReplyTo,
    references: request.references,
    headers: request.headers,
    unsubscribe: request.unsubscribe,
    trackOpens: request.trackOpens,
    replyToMessageId,
    forwardOf,
    force: request.force,
    sendAt: request.sendAt,
  } satisfies SendRequest;
});
