import { Schema } from "effect";

/** The account has no folder with this name or id (404). */
export class FolderNotFound extends Schema.TaggedError<FolderNotFound>()("FolderNotFound", {}) {}

/** Several folders have this name (400). */
export class FolderAmbiguous extends Schema.TaggedError<FolderAmbiguous>()("FolderAmbiguous", {
  paths: Schema.Array(Schema.String),
}) {}

/** The folder can hold only other folders (400). */
export class FolderNotSelectable extends Schema.TaggedError<FolderNotSelectable>()("FolderNotSelectable", {}) {}

/** Another folder of the same parent has this name, ignoring letter case and Unicode normalization (409, spec 4). */
export class FolderExists extends Schema.TaggedError<FolderExists>()("FolderExists", {}) {}

/** The client names a version of the folder that is not the current one (409, spec 2.7). */
export class FolderChanged extends Schema.TaggedError<FolderChanged>()("FolderChanged", {}) {}

/** INBOX, the special folders and their parents cannot be changed (400, spec 4). */
export class FolderIsSystem extends Schema.TaggedError<FolderIsSystem>()("FolderIsSystem", {}) {}

/** The folder has subfolders and the request does not remove them (400, spec 4). */
export class FolderHasChildren extends Schema.TaggedError<FolderHasChildren>()("FolderHasChildren", {}) {}

/** The reasons why a text is not a valid folder name (spec 4); `refused`: the mail server does not accept the name. */
const NAME_FAULTS = [
  "malformed",
  "empty",
  "control_character",
  "edge_space",
  "delimiter",
  "wildcard",
  "dots",
  "reserved",
  "too_long",
  "refused",
] as const;

/** The text is not a valid folder name (400, spec 4). */
export class FolderNameInvalid extends Schema.TaggedError<FolderNameInvalid>()("FolderNameInvalid", {
  reason: Schema.Literals(NAME_FAULTS),
}) {}

/** The folder cannot have this parent: the parent is the folder itself or inside it, too deep, or cannot hold folders (400, spec 4). */
export class FolderParentInvalid extends Schema.TaggedError<FolderParentInvalid>()("FolderParentInvalid", {
  reason: Schema.Literals(["own_descendant", "too_deep", "holds_no_folders"]),
}) {}

/** The messages of a removed folder cannot be moved there (400, spec 4). */
export class DestinationInvalid extends Schema.TaggedError<DestinationInvalid>()("DestinationInvalid", {
  reason: Schema.Literals(["own_descendant", "not_selectable", "permanent", "of_owner"]),
}) {}
