import type { SmtpReply } from "@postern/core/send";

/** How an SMTP server treats what comes to it; what is not named it takes with a 2xx. */
export interface SmtpBehaviour {
  readonly auth?: SmtpReply;
  readonly mail?: SmtpReply;
  /** By recipient. */
  readonly rcpt?: Readonly<Record<string, SmtpReply>>;
  readonly data?: SmtpReply;
  /** `cut`: the connection ends when the first bytes of the message come. A reply: said then, out of turn. */
  readonly body?: "cut" | SmtpReply;
  /** `cut`: drops the message and the connection. `take and cut`: takes the message and drops the connection. */
  readonly dot?: SmtpReply | "cut" | "take and cut";
}

/** A message the server took responsibility for. */
export interface TakenMessage {
  readonly from: string;
  readonly recipients: ReadonlyArray<string>;
  /** Without the dots that made it transparent; bytes as the characters of the same numbers. */
  readonly raw: string;
}
