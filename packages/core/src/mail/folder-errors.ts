import { Schema } from "effect";

/** No folder of this account answers to the name or id (404). */
export class FolderNotFound extends Schema.TaggedError<FolderNotFound>()("FolderNotFound", {}) {}

/** A bare name that several folders bear (400). */
export class FolderAmbiguous extends Schema.TaggedError<FolderAmbiguous>()("FolderAmbiguous", {
  paths: Schema.Array(Schema.String),
}) {}

/** A folder that holds other folders only (400). */
export class FolderNotSelectable extends Schema.TaggedError<FolderNotSelectable>()("FolderNotSelectable", {}) {}

/** Another folder of the same parent has this name, in whatever case or Unicode form (409, spec 4). */
export class FolderExists extends Schema.TaggedError<FolderExists>()("FolderExists", {}) {}

/** INBOX and the special folders, and whatever they lie in, are not for changing (400, spec 4). */
export class FolderIsSystem extends Schema.TaggedError<FolderIsSystem>()("FolderIsSystem", {}) {}

/** Other folders lie in it, and their removal was not asked for (400, spec 4). */
export class FolderHasChildren extends Schema.TaggedError<FolderHasChildren>()("FolderHasChildren", {}) {}

/** What keeps a text from being a folder's name (spec 4); `refused`: the mail server will not have it. */
export const NAME_FAULTS = [
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

export type NameFault = (typeof NAME_FAULTS)[number];

/** The text is no name for a folder here (400, spec 4). */
export class FolderNameInvalid extends Schema.TaggedError<FolderNameInvalid>()("FolderNameInvalid", {
  reason: Schema.Literals(NAME_FAULTS),
}) {}

/** The folder cannot lie there: in itself, too deep, or in what holds no folders (400, spec 4). */
export class FolderParentInvalid extends Schema.TaggedError<FolderParentInvalid>()("FolderParentInvalid", {
  reason: Schema.Literals(["own_descendant", "too_deep", "holds_no_folders"]),
}) {}

/** The messages of a removed folder cannot go there (400, spec 4). */
export class DestinationInvalid extends Schema.TaggedError<DestinationInvalid>()("DestinationInvalid", {
  reason: Schema.Literals(["own_descendant", "not_selectable", "permanent"]),
}) {}
