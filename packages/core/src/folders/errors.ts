import { Schema } from "effect";

/** No folder of this account answers to the name or id (404). */
export class FolderNotFound extends Schema.TaggedError<FolderNotFound>()("FolderNotFound", {}) {}

/** A bare name that several folders bear (400). */
export class FolderAmbiguous extends Schema.TaggedError<FolderAmbiguous>()("FolderAmbiguous", {
  paths: Schema.Array(Schema.String),
}) {}

/** A folder that holds other folders only (400). */
export class FolderNotSelectable extends Schema.TaggedError<FolderNotSelectable>()("FolderNotSelectable", {}) {}
