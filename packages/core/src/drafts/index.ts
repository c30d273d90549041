// Use cases and workers
export { Drafts } from "./Drafts.ts";
export { DraftSender } from "./DraftSender.ts";

// Ports
export { DraftRecords } from "./ports/DraftRecords.ts";
export { DraftsFolder } from "./ports/DraftsFolder.ts";

// Errors

// Records and rules
export { readMark, writeMark } from "./draft-mark.ts";
export type { Draft } from "./Draft.ts";
export type { DraftEntry } from "./DraftEntry.ts";
export type { DraftMark } from "./DraftMark.ts";
export { NEW_DRAFT } from "./open-draft.ts";
export { draftJson } from "./stored-records.ts";
