import type { AccountId } from "../shared/index.ts";

/** The oldest messages of a mailbox, some hundred, that are moved in one go. */
export interface MessageBatch {
  readonly mailbox: string;
  /** UID of the newest of them. */
  readonly lastUid: number;
  /** How many they were. */
  readonly count: number;
  /** UIDNEXT of the destination before: from there on it may hold copies of these, and of no others of ours. */
  readonly copiedFrom: number;
}

/** Where the messages of a removed folder go. */
export interface RemovalDestination {
  readonly id: string;
  readonly path: string;
}

/** The removal of a folder, as it is journaled from before its first step to after its last (spec 4). */
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
  /**
   * `hiding`: to be renamed. `emptying`: hidden; messages are moved, then mailboxes removed. `restoring`: given up; to be
   * renamed back to `path`.
   */
  readonly phase: "hiding" | "emptying" | "restoring" | "finished";
  readonly moved: number;
  /** Messages in the hidden mailboxes as last known. */
  readonly remaining: number;
  /** What is being moved: journaled before, so that the worker that resumes knows what may have been copied already. */
  readonly batch: MessageBatch | null;
  /** Epoch milliseconds. */
  readonly begunAt: number;
  /** Attempts that failed in this phase or, unless it is `restoring`, since the beginning. */
  readonly failures: number;
  /** When it is tried again without being asked for, in epoch milliseconds. */
  readonly dueAt: number;
  /** Why the last attempt failed. */
  readonly reason: string | null;
}
