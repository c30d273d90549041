import { Schema } from "effect";

/** The account has no draft with this id (404, spec 12.1). */
export class DraftNotFound extends Schema.TaggedError<DraftNotFound>()("DraftNotFound", {}) {}

/**
 * The client's version of the draft is no longer current: the draft was saved again, is being sent, or was changed by
 * another client (409).
 */
export class DraftChanged extends Schema.TaggedError<DraftChanged>()("DraftChanged", {}) {}

/** The files of the account's drafts exceed their limit (413). */
export class StorageExceeded extends Schema.TaggedError<StorageExceeded>()("StorageExceeded", {}) {}

/** The request needs `If-Match` with the version of a draft (428, spec 13.2). */
export class IfMatchRequired extends Schema.TaggedError<IfMatchRequired>()("IfMatchRequired", {}) {}

/** The account has no approval with this id (404, spec 13.2). */
export class ApprovalNotFound extends Schema.TaggedError<ApprovalNotFound>()("ApprovalNotFound", {}) {}

/** The client names a version of the draft that is not the approval's (409, spec 13.2). */
export class ApprovalChanged extends Schema.TaggedError<ApprovalChanged>()("ApprovalChanged", {}) {}

/** The approval has a final state (409, spec 13.2). */
export class ApprovalDecided extends Schema.TaggedError<ApprovalDecided>()("ApprovalDecided", {
  state: Schema.String,
}) {}

/** The key that asked for an approval cannot decide it (403, spec 13.2). */
export class ApprovalOwn extends Schema.TaggedError<ApprovalOwn>()("ApprovalOwn", {}) {}
