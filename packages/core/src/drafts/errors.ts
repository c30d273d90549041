import { Schema } from "effect";

/** The account has no draft with this id (404, spec 12.1). */
export class DraftNotFound extends Schema.TaggedError<DraftNotFound>()("DraftNotFound", {}) {}

/** The draft is no longer the version that the client knows: it was saved again, is being sent, or another client changed it (409). */
export class DraftChanged extends Schema.TaggedError<DraftChanged>()("DraftChanged", {}) {}

/** The files of the account's drafts exceed their limit (413). */
export class StorageExceeded extends Schema.TaggedError<StorageExceeded>()("StorageExceeded", {}) {}
