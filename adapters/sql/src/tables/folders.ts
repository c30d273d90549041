import type { FolderRemoval } from "@postern/core/folders";
import { columnsOf } from "./columns.ts";

/** The tables of `folders`. */
export interface FoldersTables {
  readonly folder_list: { readonly account: string; readonly listed_at: number };
  readonly folder: FolderRow;
  readonly folder_removal: FolderRemovalRow;
}

export interface FolderRow {
  readonly account: string;
  readonly id: string;
  readonly path: string;
  readonly mailbox_id: string | null;
  readonly uid_validity: number | null;
  readonly uid_next: number | null;
  /** The key; null if the key is the id. */
  readonly mailbox_key: string | null;
  readonly created_at: number;
}

/** The columns of a removal's fields; its destination and its batch have several columns each. */
export const FOLDER_REMOVAL = columnsOf<FolderRemoval>()({
  id: "text",
  account: "text",
  folderId: "text",
  path: "text",
  uidValidity: "bigint",
  hiddenPath: "text",
  delimiter: "text",
  phase: "text",
  moved: "bigint",
  remaining: "bigint",
  begunAt: "bigint",
  failures: "bigint",
  dueAt: "bigint",
  reason: "text",
});

export interface FolderRemovalRow extends ReturnType<typeof FOLDER_REMOVAL.rowOf> {
  /** The removed folders as JSON; null if a release without them wrote the row. */
  readonly folders: string | null;
  /** The destination; null, like the path, if the messages are deleted permanently. */
  readonly destination_id: string | null;
  readonly destination_path: string | null;
  /** The batch that is being moved; null, like the three columns below, if there is none. */
  readonly batch_mailbox: string | null;
  readonly batch_last_uid: number | null;
  readonly batch_count: number | null;
  readonly batch_copied_from: number | null;
  readonly lease_owner: string | null;
  readonly lease_until: number | null;
}
