import type { FailureReason, SmtpReply } from "./OutgoingMessage.ts";

/** What the server said to each RCPT of an attempt, by address. */
export type RecipientReplies = ReadonlyMap<string, SmtpReply>;

/** How an attempt at a message ended (spec 6). Only `Unknown` leaves open whether the message was taken. */
export type AttemptOutcome =
  /** The reply to the dot. */
  | { readonly _tag: "Answered"; readonly reply: SmtpReply }
  /** Every RCPT was refused; there was no DATA. */
  | { readonly _tag: "RecipientsRefused"; readonly replies: RecipientReplies }
  /** MAIL FROM was refused. */
  | { readonly _tag: "SenderRefused"; readonly reply: SmtpReply }
  /** DATA was refused, or the message before its dot. */
  | { readonly _tag: "MessageRefused"; readonly reply: SmtpReply }
  /** Larger than the server takes; limit in bytes. */
  | { readonly _tag: "TooLarge"; readonly limit: number }
  /** The credential of this version was refused. */
  | { readonly _tag: "AuthRefused"; readonly version: number }
  /** It ended before the dot: nothing was sent. */
  | { readonly _tag: "NotSent"; readonly reason: FailureReason; readonly detail: string }
  /** The dot may have left, and no answer came. */
  | { readonly _tag: "Unknown"; readonly reason: FailureReason; readonly detail: string };
