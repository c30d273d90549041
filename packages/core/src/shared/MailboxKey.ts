declare const names: unique symbol;

/** The id of a folder for people and programs (spec 4.2). The id of a special folder is its role. */
export type FolderId = string & { readonly [names]?: "folder" };

/**
 * The name of a mailbox in the locations of messages (spec 5.2): the folder's id when the mailbox is first listed. The
 * key stays with the mailbox, while a role may move to another mailbox.
 */
export type MailboxKey = string & { readonly [names]?: "mailbox" };
