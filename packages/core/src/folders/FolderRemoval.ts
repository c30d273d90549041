import type { AccountId } from "../shared/index.ts";
import type { FolderId, MailboxKey } from "../shared/neighbours.ts";

/** A batch of up to a few hundred of a mailbox's oldest messages, which are moved together. */
export interface MessageBatch {
  readonly mailbox: string;
  /** UID of the newest message in the batch. */
  readonly lastUid: number;
  /** Number of messages in the batch. */
  readonly count: number;
  /**
   * UIDNEXT of the destination before the move: from this UID on, the destination may hold copies of this batch, but of
   * no other batch. 1 if the server has MOVE, because MOVE copies nothing.
   */
  readonly copiedFrom: number;
}

/** The folder to which the messages of a removed folder are moved. */
export interface RemovalDestination {
  readonly id: FolderId;
  readonly path: string;
}

/** A folder that a removal removes. */
export interface RemovedFolder {
  /** The name of the folder's mailbox in locations. */
  readonly id: MailboxKey;
  readonly path: string;
  readonly uidValidity: number | null;
}

/** The removal of a folder, which is journaled from before its first step until after its last step (spec 4). */
export interface FolderRemoval {
  readonly id: string;
  readonly account: AccountId;
  readonly folderId: FolderId;
  readonly path: string;
  /** UIDVALIDITY, which distinguishes the folder from a recreated one; null for `\Noselect` names. */
  readonly uidValidity: number | null;
  readonly hiddenPath: string;
  /** The folder and its descendants, as they were before the folder was hidden. The messages in them keep their ids. */
  readonly folders: ReadonlyArray<RemovedFolder>;
  readonly delimiter: string | null;
  /** The destination of the messages; null if they are deleted permanently. */
  readonly destination: RemovalDestination | null;
  /**
   * `hiding`: the folder must be renamed. `emptying`: the folder is hidden; its messages are moved, then its mailboxes
   * removed. `restoring`: the removal is given up, and the folder must be renamed back to `path`.
   */
  readonly phase: "hiding" | "emptying" | "restoring" | "finished";
  readonly moved: number;
  /** Last known number of messages in the hidden mailboxes. */
  readonly remaining: number;
  /**
   * The batch that is being moved. It is journaled before the move, so that a worker that resumes knows which messages
   * may already be copied.
   */
  readonly batch: MessageBatch | null;
  /** Epoch milliseconds. */
  readonly begunAt: number;
  /** The number of failed attempts since the removal began; in the phase `restoring`, since the phase began. */
  readonly failures: number;
  /** When the worker retries the removal, in epoch milliseconds. */
  readonly dueAt: number;
  /** Why the last attempt failed. */
  readonly reason: string | null;
}
