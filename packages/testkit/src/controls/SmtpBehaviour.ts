import type { SmtpReply } from "@postern/core/send";

/** The replies of an SMTP server; commands without one are accepted with a 2xx. */
export interface SmtpBehaviour {
  readonly auth?: SmtpReply;
  readonly mail?: SmtpReply;
  /** By recipient. */
  readonly rcpt?: Readonly<Record<string, SmtpReply>>;
  readonly data?: SmtpReply;
  /** When the first bytes of the message arrive: `cut` closes the connection; a reply is sent then, before the dot. */
  readonly body?: "cut" | SmtpReply;
  /** `cut`: drops the message and the connection. `take and cut`: takes the message and drops the connection. */
  readonly dot?: SmtpReply | "cut" | "take and cut";
}

/** A message that the server accepted. */
export interface TakenMessage {
  readonly from: string;
  readonly recipients: ReadonlyArray<string>;
  /** Without dot-stuffing, as Latin-1: one character per byte. */
  readonly raw: string;
}
