import type { DestinationInvalid, FolderNameInvalid, FolderParentInvalid } from "@postern/core/mail";

/* What is wrong with a folder that was asked for, to follow the name of the field. */

export const NAME_FAULTS: Readonly<Record<FolderNameInvalid["reason"], string>> = {
  malformed: "must be well-formed text",
  empty: "must not be empty",
  control_character: "must not contain control characters or line breaks",
  edge_space: "must not begin or end with a space",
  delimiter: "must not contain the character between the levels of a path: name the parent by parentId",
  wildcard: "must not contain * or %",
  dots: "must not be . or contain ..",
  reserved: "begins with what is kept for folders being deleted: take another",
  too_long: "must have at most 255 bytes as the mail server writes it",
  refused: "is not accepted by the mail server there: take another",
};

export const PARENT_FAULTS: Readonly<Record<FolderParentInvalid["reason"], string>> = {
  own_descendant: "must not be the folder itself or one that lies in it",
  too_deep: "lies too deep: folders have at most 10 levels",
  holds_no_folders: "cannot hold folders: this mail server has one level only",
};

export const DESTINATION_FAULTS: Readonly<Record<DestinationInvalid["reason"], string>> = {
  own_descendant: "must not be the deleted folder or one that lies in it",
  not_selectable: "holds folders only, no messages",
  permanent: "cannot go together with permanent=true, which destroys the messages",
};
