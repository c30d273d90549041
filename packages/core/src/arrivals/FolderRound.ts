import type { MailboxKey } from "../shared/neighbours.ts";
import type { HeldChanges } from "../watch/neighbours.ts";
import type { FollowedFolder } from "./FollowedFolder.ts";
import type { ReadFolder } from "./poll-folder.ts";

/** One poll of the folders of an account. */
export interface FolderRound {
  readonly folders: ReadonlyArray<ReadFolder>;
  /** The followed folders that no longer exist, without their paths. */
  readonly gone: ReadonlyArray<FollowedFolder>;
  /** All present folders of the account. A message may have left one of them that this round does not poll. */
  readonly present: ReadonlyArray<FollowedFolder>;
  /** The changes that earlier rounds held. */
  readonly held: HeldChanges;
  /** Whether the round covers every folder with changes, except the unread ones. */
  readonly isWhole: boolean;
  /** The mailboxes of the folders that could not be polled. */
  readonly unread: ReadonlySet<MailboxKey>;
  /** Whether new messages are a backfill. */
  readonly isBehind: boolean;
}

/** The state that a round passes to the next one. */
export interface RoundRest {
  readonly held: HeldChanges;
  /** The mailboxes of the folders with further changes or held changes. */
  readonly unfinished: ReadonlySet<MailboxKey>;
  /** The mailboxes of the folders that the server did not open. */
  readonly refused: ReadonlySet<MailboxKey>;
}
