import type { FolderId, MailboxKey } from "../shared/neighbours.ts";

/** The stored identity of a folder, by which its id survives renames (spec 4). */
export interface FolderRecord {
  readonly id: FolderId;
  /** The name of the mailbox in the locations of its messages; differs from the id once a role has moved from or to the mailbox. */
  readonly key: MailboxKey;
  readonly path: string;
  readonly mailboxId: string | null;
  /** The UIDVALIDITY of the mailbox; null for `\Noselect` names. */
  readonly uidValidity: number | null;
  readonly uidNext: number | null;
  /** When Postern created or first listed the folder, in epoch milliseconds. */
  readonly createdAt: number;
}
