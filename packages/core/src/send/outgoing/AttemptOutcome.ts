import type { FailureReason, SmtpReply } from "./OutgoingMessage.ts";

/** The server's reply to each RCPT of an attempt, by address. */
export type RecipientReplies = ReadonlyMap<string, SmtpReply>;

/** The outcome of an attempt (spec 6). After `Unknown` the server may or may not have accepted the message. */
export type AttemptOutcome = AttemptEnd & {
  /** The mail server that was asked, as `host:port`; absent if none was, or if the transport does not tell. */
  readonly server?: string;
};

type AttemptEnd =
  /** The reply to the dot, with the Message-ID that the server gave the message, if the reply tells it. */
  | { readonly _tag: "Answered"; readonly reply: SmtpReply; readonly providerMessageId?: string }
  /** Every RCPT was refused; DATA was not sent. */
  | { readonly _tag: "RecipientsRefused"; readonly replies: RecipientReplies }
  /** MAIL FROM was refused. */
  | { readonly _tag: "SenderRefused"; readonly reply: SmtpReply }
  /** DATA was refused, or the message was refused before the dot. */
  | { readonly _tag: "MessageRefused"; readonly reply: SmtpReply }
  /** The message exceeds the server's limit in bytes. */
  | { readonly _tag: "TooLarge"; readonly limit: number }
  /** The credential of this version was refused. */
  | { readonly _tag: "AuthRefused"; readonly version: number }
  /** The owner paused the account, so nothing was tried (spec 10.3). */
  | { readonly _tag: "AccountPaused" }
  /** The service key that asked for the message was deleted, or its application is suspended: nothing was tried (spec 10.2). */
  | { readonly _tag: "Withheld"; readonly by?: "suspension" }
  /** The attempt ended before the dot: nothing was sent. */
  | { readonly _tag: "NotSent"; readonly reason: FailureReason; readonly detail: string }
  /** The dot may have been sent, but no reply arrived. */
  | { readonly _tag: "Unknown"; readonly reason: FailureReason; readonly detail: string };
