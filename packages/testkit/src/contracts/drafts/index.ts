import { approvalRecordsContract } from "./approval-records-contract.ts";
import { draftRecordsContract } from "./draft-records-contract.ts";

export * from "./drafts-folder-contract.ts";

/** The contracts of the stores of `drafts`, by port. */
export const draftsStores = {
  ApprovalRecords: approvalRecordsContract,
  DraftRecords: draftRecordsContract,
};
