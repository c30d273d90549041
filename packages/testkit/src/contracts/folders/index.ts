import { folderRecordsContract } from "./folder-records-contract.ts";
import { folderRemovalsContract } from "./folder-removals-contract.ts";

export * from "./FolderManagementServer.ts";
export * from "./folder-management-contract.ts";
export * from "./mailbox-changes-contract.ts";
export * from "./mailbox-tree-contract.ts";

/** The contracts of the stores of `folders`, by port. */
export const foldersStores = {
  FolderRecords: folderRecordsContract,
  FolderRemovals: folderRemovalsContract,
};
