import type { AccountServers, MailboxCursor } from "../mail/index.ts";
import type { ConnectionCause } from "./ConnectionCause.ts";

/** The result of an attempt to connect and sign in at one server (spec 10.3). */
export interface Check {
  readonly host: string;
  readonly port: number;
  /** Null if the check succeeded. */
  readonly cause: ConnectionCause | null;
}

/** The checks of an account's servers, before they are stored (spec 10.3). */
export interface Verification {
  readonly imap: Check;
  readonly smtp: Check;
  /** The capabilities of the IMAP server; empty if it was not reached. */
  readonly capabilities: ReadonlyArray<string>;
  /** The cursor of INBOX: messages below it are not new. Null if the sign-in at the IMAP server failed. */
  readonly present: MailboxCursor | null;
  /** Whether the IMAP server refused the credential without a reason. For a stored credential, only a second refusal is final. */
  readonly isUnclear: boolean;
}

/** Returns whether both servers accepted the credential. */
export const isVerified = (
  verification: Verification,
): verification is Verification & { readonly present: MailboxCursor } =>
  verification.imap.cause === null && verification.smtp.cause === null && verification.present !== null;

/** Returns the cause to show for a failed verification: the IMAP server's, or else the SMTP server's. */
export const causeOf = ({ imap, smtp }: Pick<Verification, "imap" | "smtp">): ConnectionCause | null =>
  imap.cause ?? smtp.cause;

/** Returns the verification of a credential whose grant has ended, without contacting a mail server. */
export const refusedVerification = ({ imap, smtp }: AccountServers): Verification => ({
  imap: { host: imap.host, port: imap.port, cause: "auth_refused" },
  smtp: { host: smtp.host, port: smtp.port, cause: "auth_refused" },
  capabilities: [],
  present: null,
  isUnclear: false,
});
