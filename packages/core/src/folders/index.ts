// Use cases and workers
export { FolderManagement } from "./FolderManagement.ts";
export { FolderRemover } from "./FolderRemover.ts";
export { Folders } from "./Folders.ts";

// Ports
export { FolderRecords } from "./ports/FolderRecords.ts";
export { FolderRemovals } from "./ports/FolderRemovals.ts";
export { MailboxChanges } from "./ports/MailboxChanges.ts";
export { MailboxTree } from "./ports/MailboxTree.ts";

// Records and rules
export type { Folder } from "./Folder.ts";
export type { FolderRecord } from "./FolderRecord.ts";
export type { FolderRemoval, MessageBatch } from "./FolderRemoval.ts";
export type { ManagedFolder } from "./ManagedFolder.ts";
export { sameFolders } from "./reconcile.ts";
