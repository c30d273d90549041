import type { FolderId, MailboxKey } from "../shared/neighbours.ts";

/** A folder whose changes are announced. The id of a folder with a role is its role. */
export interface FollowedFolder {
  readonly id: FolderId;
  readonly key: MailboxKey;
  readonly path: string;
}

export const INBOX: FollowedFolder = { id: "inbox", key: "inbox", path: "INBOX" };
