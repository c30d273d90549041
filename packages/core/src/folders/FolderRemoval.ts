import type { AccountId } from "../shared/AccountId.ts";

/** Where the messages of a removed folder go. */
export interface RemovalDestination {
  readonly id: string;
  readonly path: string;
}

/** The removal of a folder, as it is journaled from before its first step to after its last (decisions 4). */
export interface FolderRemoval {
  readonly id: string;
  readonly account: AccountId;
  readonly folderId: string;
  readonly path: string;
  /** Tells the folder from another that was made in its place; null for `\Noselect` names. */
  readonly uidValidity: number | null;
  readonly hiddenPath: string;
  readonly delimiter: string | null;
  /** Null: the messages are destroyed. */
  readonly destination: RemovalDestination | null;
  /** `hiding`: to be renamed. `emptying`: hidden; messages are moved, then mailboxes removed. */
  readonly phase: "hiding" | "emptying" | "finished";
  readonly moved: number;
  /** Messages in the hidden mailboxes as last known. */
  readonly remaining: number;
  /** UIDNEXT of the destination before what is being moved was copied there. */
  readonly copiedFrom: number | null;
  /** Epoch milliseconds. */
  readonly begunAt: number;
}
