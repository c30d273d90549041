import type { SmtpReply } from "@postern/core/send";

/** The replies of an SMTP server; commands without a scripted reply are accepted with a 2xx. */
export interface SmtpBehaviour {
  readonly auth?: SmtpReply;
  readonly mail?: SmtpReply;
  /** Replies to RCPT by recipient. */
  readonly rcpt?: Readonly<Record<string, SmtpReply>>;
  readonly data?: SmtpReply;
  /**
   * The reaction to the first bytes of the message: `cut` closes the connection; a reply is sent at once, before the
   * dot.
   */
  readonly body?: "cut" | SmtpReply;
  /**
   * The reaction to the dot. `cut`: drops the message and the connection. `take and cut`: accepts the message and drops
   * the connection.
   */
  readonly dot?: SmtpReply | "cut" | "take and cut";
}

/** A message that the server accepted. */
export interface TakenMessage {
  readonly from: string;
  readonly recipients: ReadonlyArray<string>;
  /** The message without dot-stuffing, as Latin-1: one character per byte. */
  readonly raw: string;
}
