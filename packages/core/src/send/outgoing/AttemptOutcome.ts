import type { FailureReason, SmtpReply } from "./OutgoingMessage.ts";

/** The server's reply to each RCPT of an attempt, by address. */
export type RecipientReplies = ReadonlyMap<string, SmtpReply>;

/** The outcome of an attempt (spec 6). After `Unknown` the server may or may not have accepted the message. */
export type AttemptOutcome = AttemptEnd & {
  /** The mail server of the attempt, as `host:port`; absent if none was contacted, or if the transport does not report it. */
  readonly server?: string;
};

type AttemptEnd =
  /** The server replied to the dot, perhaps with a new Message-ID. */
  | { readonly _tag: "Answered"; readonly reply: SmtpReply; readonly providerMessageId?: string }
  /** The server refused every RCPT; DATA was not sent. */
  | { readonly _tag: "RecipientsRefused"; readonly replies: RecipientReplies }
  /** MAIL FROM was refused. */
  | { readonly _tag: "SenderRefused"; readonly reply: SmtpReply }
  /** The server refused DATA, or refused the message before the dot. */
  | { readonly _tag: "MessageRefused"; readonly reply: SmtpReply }
  /** The message exceeds the server's limit in bytes. */
  | { readonly _tag: "TooLarge"; readonly limit: number }
  /** The credential of this version was refused. */
  | { readonly _tag: "AuthRefused"; readonly version: number }
  /** The owner paused the account, so no server was contacted (spec 10.3). */
  | { readonly _tag: "AccountPaused" }
  /** The message's service key was deleted, or its application is suspended, so no server was contacted (spec 10.2). */
  | { readonly _tag: "Withheld"; readonly by?: "suspension" }
  /** The host had no room for another connection (spec 10.3), so no server was contacted. */
  | { readonly _tag: "HostLimited" }
  /** The attempt ended before the dot: nothing was sent. */
  | { readonly _tag: "NotSent"; readonly reason: FailureReason; readonly detail: string }
  /** The dot may have been sent, but no reply arrived. */
  | { readonly _tag: "Unknown"; readonly reason: FailureReason; readonly detail: string };
