// Use cases and workers
export { Approvals } from "./approvals/Approvals.ts";
export { Drafts } from "./Drafts.ts";
export { DraftSender } from "./DraftSender.ts";

// Ports
export { ApprovalRecords, type PendingFilter } from "./ports/ApprovalRecords.ts";
export { DraftRecords } from "./ports/DraftRecords.ts";
export { DraftsFolder } from "./ports/DraftsFolder.ts";

// Errors
export { ApprovalDecided } from "./errors.ts";

// Records and rules
export type { Approval, ApprovalState } from "./approvals/Approval.ts";
export { requesterView } from "./approvals/end-approvals.ts";
export { readMark, writeMark } from "./draft-mark.ts";
export type { Draft } from "./Draft.ts";
export type { DraftEntry } from "./DraftEntry.ts";
export type { DraftMark } from "./DraftMark.ts";
export { NEW_DRAFT } from "./open-draft.ts";
export { requestOf } from "./draft-request.ts";
export { draftsJson } from "./stored-records.ts";
