import type { FolderRole } from "../mail/index.ts";
import type { FolderId, MailboxKey } from "../shared/neighbours.ts";

/** A folder as clients see it (spec 2.4, 4). */
export interface Folder {
  readonly id: FolderId;
  /** The folder's mailbox in the locations of messages; clients do not see it. */
  readonly key: MailboxKey;
  /** The last part of the path. */
  readonly name: string;
  readonly path: string;
  readonly role: FolderRole | null;
  readonly parentId: FolderId | null;
  readonly delimiter: string | null;
  /** False if the folder cannot hold messages (`\Noselect`). */
  readonly selectable: boolean;
  readonly unreadCount: number;
  readonly totalCount: number;
}
