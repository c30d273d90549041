import type { MailboxKey } from "../shared/neighbours.ts";
import type { HeldChanges } from "../watch/neighbours.ts";
import type { FollowedFolder } from "./FollowedFolder.ts";
import type { ReadFolder } from "./poll-folder.ts";

/** A look at the folders of an account. */
export interface FolderRound {
  readonly folders: ReadonlyArray<ReadFolder>;
  /** The followed folders that do not exist any more, without their paths. */
  readonly gone: ReadonlyArray<FollowedFolder>;
  /** The changes that earlier rounds held. */
  readonly held: HeldChanges;
  /** Whether no folder has changes but these and the unread ones. */
  readonly isWhole: boolean;
  /** The mailboxes of the folders that could not be looked at. */
  readonly unread: ReadonlySet<MailboxKey>;
  /** As in `sync`. */
  readonly isBehind: boolean;
}

/** What a round leaves for the next one. */
export interface RoundRest {
  readonly held: HeldChanges;
  /** The mailboxes of the folders with more changes, or with held ones. */
  readonly unfinished: ReadonlySet<MailboxKey>;
  /** The mailboxes of the folders that the server did not open. */
  readonly refused: ReadonlySet<MailboxKey>;
}
