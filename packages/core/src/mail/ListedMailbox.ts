import type { FolderRole } from "./FolderRole.ts";

/** A mailbox as the mail server lists it, names decoded to Unicode (spec 4). */
export interface ListedMailbox {
  /** The whole name with its hierarchy; INBOX is always `INBOX`. */
  readonly path: string;
  /** What the names of its namespace begin with, such as `INBOX.`; often empty. */
  readonly prefix: string;
  /** Null where the server has no hierarchy. */
  readonly delimiter: string | null;
  readonly role: FolderRole | null;
  /** What the server knows of its contents; null for `\Noselect` names. */
  readonly status: MailboxStatus | null;
}

export interface MailboxStatus {
  readonly total: number;
  readonly unread: number;
  readonly uidValidity: number;
  readonly uidNext: number;
  /** MAILBOXID (RFC 8474) where the server has OBJECTID. */
  readonly mailboxId: string | null;
}
