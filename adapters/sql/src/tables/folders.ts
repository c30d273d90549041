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
  readonly created_at: number;
}

export interface FolderRemovalRow {
  readonly id: string;
  readonly account: string;
  readonly folder_id: string;
  readonly path: string;
  readonly uid_validity: number | null;
  readonly hidden_path: string;
  readonly delimiter: string | null;
  /** Null, like the path, if the messages are destroyed. */
  readonly destination_id: string | null;
  readonly destination_path: string | null;
  readonly phase: "hiding" | "emptying" | "restoring" | "finished";
  readonly moved: number;
  readonly remaining: number;
  /** Null, like the three below, if no batch is being moved. */
  readonly batch_mailbox: string | null;
  readonly batch_last_uid: number | null;
  readonly batch_count: number | null;
  readonly batch_copied_from: number | null;
  readonly begun_at: number;
  readonly failures: number;
  readonly due_at: number;
  readonly reason: string | null;
  readonly lease_owner: string | null;
  readonly lease_until: number | null;
}
