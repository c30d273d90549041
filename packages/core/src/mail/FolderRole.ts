/** The roles of special folders (RFC 6154, spec 4); the role is also the folder's id. */
export const FOLDER_ROLES = ["inbox", "sent", "drafts", "trash", "junk", "archive"] as const;

export type FolderRole = (typeof FOLDER_ROLES)[number];

export const isFolderRole = (id: string): id is FolderRole => (FOLDER_ROLES as ReadonlyArray<string>).includes(id);
