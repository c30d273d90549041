declare const names: unique symbol;

/** The id of a folder, by which people and programs name it (spec 4.2). The id of a special folder is its role. */
export type FolderId = string & { readonly [names]?: "folder" };

/**
 * The name of a mailbox in the locations of messages (spec 5.2). It is the folder's id when the mailbox is first listed, and
 * stays with the mailbox, while a role may come to lie on another one.
 */
export type MailboxKey = string & { readonly [names]?: "mailbox" };
