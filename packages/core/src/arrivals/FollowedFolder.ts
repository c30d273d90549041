/** A folder whose changes are announced. The id of a folder with a role is its role. */
export interface FollowedFolder {
  readonly id: string;
  readonly path: string;
}

export const INBOX: FollowedFolder = { id: "inbox", path: "INBOX" };
