import type { FolderRole } from "./FolderRole.ts";

/** A mailbox from the mail server's listing, with names decoded to Unicode (spec 4). */
export interface ListedMailbox {
  /** The full name with its hierarchy; INBOX is always `INBOX`. */
  readonly path: string;
  /** The prefix of names in its namespace, such as `INBOX.`; often empty. */
  readonly prefix: string;
  /** The hierarchy delimiter; null if the server has no hierarchy. */
  readonly delimiter: string | null;
  readonly role: FolderRole | null;
  /** The mailbox's counters; null for `\Noselect` names, and if the server refuses to report them. */
  readonly status: MailboxStatus | null;
  /**
   * Whether the server lists the mailbox as selectable but refuses its status. If so, nothing shows whether another
   * mailbox is at the path now.
   */
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
