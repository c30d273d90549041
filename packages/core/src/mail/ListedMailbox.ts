import type { FolderRole } from "./FolderRole.ts";

/** A mailbox as the mail server lists it, names decoded to Unicode (spec 4). */
export interface ListedMailbox {
  /** The full name with its hierarchy; INBOX is always `INBOX`. */
  readonly path: string;
  /** The prefix of names in its namespace, such as `INBOX.`; often empty. */
  readonly prefix: string;
  /** Null if the server has no hierarchy. */
  readonly delimiter: string | null;
  readonly role: FolderRole | null;
  /** The mailbox's counters; null for `\Noselect` names, and if the server refuses them. */
  readonly status: MailboxStatus | null;
  /** Whether the server refuses the status of a mailbox that it lists as one to select: nothing says that it is another one. */
  readonly isClosed?: true;
}

export interface MailboxStatus {
  readonly total: number;
  readonly unread: number;
  readonly uidValidity: number;
  /** UIDNEXT; null if the server does not report it. */
  readonly uidNext: number | null;
  /** MAILBOXID (RFC 8474); null if the server lacks OBJECTID. */
  readonly mailboxId: string | null;
}
