import { Result } from "effect";
import { hasRecipient, replyStatus, replyText, stateOf } from "./outgoing/outgoing-state.ts";
import { MessageTooLarge, RecipientRefused, SenderRefused, SendOutcomeUnknown, SmtpAuthRefused } from "./errors.ts";
import type { OutgoingMessage } from "./outgoing/OutgoingMessage.ts";

/** A recipient that the server refused at this attempt, permanently or temporarily. */
export interface RejectedRecipient {
  readonly recipient: string;
  readonly status: string;
  readonly detail: string;
}

/** The result of the first attempt, as stored with an idempotency key (spec 6). */
export interface SendAnswer {
  readonly outcome:
    | "sent"
    | "queued"
    | "scheduled"
    | "recipient_refused"
    | "sender_refused"
    | "smtp_auth_failed"
    | "message_too_large"
    | "unknown";
  readonly id: string;
  readonly messageId: string;
  /** The Message-ID by which the server replaced ours; undefined in answers of earlier releases. */
  readonly providerMessageId?: string | null;
  readonly rejected: ReadonlyArray<RejectedRecipient>;
  readonly detail: string;
}

/** The response for a message that was accepted. */
export interface SendReceipt extends Pick<SendAnswer, "id" | "messageId" | "rejected"> {
  /** The Message-ID that recipients see, if the server replaced Postern's. */
  readonly providerMessageId: string | null;
  readonly status: "sent" | "queued" | "scheduled";
}

/** The reason why a journaled message was not sent. */
export type SendFailure = RecipientRefused | SenderRefused | SmtpAuthRefused | MessageTooLarge | SendOutcomeUnknown;

/** Returns the answer for a message in its current state. */
export const answerOf = (message: OutgoingMessage): SendAnswer => ({
  outcome: outcomeOf(message),
  id: message.id,
  messageId: message.messageId,
  providerMessageId: message.providerMessageId ?? null,
  rejected: message.recipients.flatMap(({ address, reply }) =>
    reply === null || reply.code < 400
      ? []
      : [{ recipient: address, status: replyStatus(reply), detail: replyText(reply) }],
  ),
  detail: message.failure?.detail ?? "",
});

const outcomeOf = (message: OutgoingMessage): SendAnswer["outcome"] => {
  const state = stateOf(message, false);
  if (state === "unknown" || state === "sent" || state === "scheduled") return state;
  if (state !== "failed") return "queued";
  switch (message.failure?.reason) {
    case "sender_refused":
    case "smtp_auth_failed":
    case "message_too_large":
      return message.failure.reason;
    default:
      return hasRecipient(message, "failed") && message.recipients.some(({ reply }) => reply !== null)
        ? "recipient_refused"
        : "queued";
  }
};

/** Returns the answer as a receipt, or fails with the reason. */
export const receiptOf = (answer: SendAnswer): Result.Result<SendReceipt, SendFailure> => {
  const { id, messageId, providerMessageId = null, rejected, detail } = answer;
  switch (answer.outcome) {
    case "sent":
    case "queued":
    case "scheduled":
      return Result.succeed({ id, messageId, providerMessageId, rejected, status: answer.outcome });
    case "recipient_refused":
      return Result.fail(new RecipientRefused({ id, rejected }));
    case "sender_refused":
      return Result.fail(new SenderRefused({ id, detail }));
    case "smtp_auth_failed":
      return Result.fail(new SmtpAuthRefused({ id }));
    case "message_too_large":
      return Result.fail(new MessageTooLarge({ id, detail }));
    case "unknown":
      return Result.fail(new SendOutcomeUnknown({ id, messageId }));
  }
};
