import * as Problem from "@postern/api";
import type { DestinationInvalid, FolderNameInvalid, FolderParentInvalid } from "@postern/core/mail";
import type { ProblemTable } from "./table.ts";

/** Answers to the errors of finding, creating, changing and deleting folders (spec 4). */
export const FOLDER_PROBLEMS = {
  FolderAmbiguous: ({ paths }, requestId, folder) => ({
    problem: new Problem.FolderAmbiguous({
      requestId,
      errors: [
        {
          field: folder,
          message: `is the name of several folders: give the id, or one of the paths ${paths.join(", ")}`,
        },
      ],
    }),
  }),
  FolderNotSelectable: (_, requestId, folder) => ({
    problem: new Problem.FolderNotSelectable({
      requestId,
      errors: [{ field: folder, message: "cannot contain messages, only folders" }],
    }),
  }),
  FolderIsSystem: (_, requestId) => ({
    problem: new Problem.FolderIsSystem({
      requestId,
      errors: [{ field: "id", message: "must be a folder of the user that contains no system folder" }],
    }),
  }),
  FolderHasChildren: (_, requestId) => ({
    problem: new Problem.FolderHasChildren({
      requestId,
      errors: [{ field: "recursive", message: "must be true to delete the subfolders too" }],
    }),
  }),
  FolderNameInvalid: ({ reason }, requestId) => ({
    problem: new Problem.FolderNameInvalid({ requestId, errors: [{ field: "name", message: NAME_FAULTS[reason] }] }),
  }),
  FolderParentInvalid: ({ reason }, requestId) => ({
    problem: new Problem.FolderNameInvalid({
      requestId,
      errors: [{ field: "parentId", message: PARENT_FAULTS[reason] }],
    }),
  }),
  DestinationInvalid: ({ reason }, requestId) => ({
    problem: new Problem.DestinationInvalid({
      requestId,
      errors: [{ field: "moveTo", message: DESTINATION_FAULTS[reason] }],
    }),
  }),
} satisfies ProblemTable<typeof import("@postern/core/mail")>;

/* The texts of faults of a requested folder. They follow the name of the field. */

const NAME_FAULTS: Readonly<Record<FolderNameInvalid["reason"], string>> = {
  malformed: "must be well-formed text",
  empty: "must not be empty",
  control_character: "must not contain control characters or line breaks",
  edge_space: "must not begin or end with a space",
  delimiter: "must not contain the delimiter of paths: name the parent by parentId",
  wildcard: "must not contain * or %",
  dots: "must not be . or contain ..",
  reserved: "begins with a prefix reserved for folders being deleted: choose another",
  too_long: "must be at most 255 bytes long, as IMAP encodes it",
  refused: "is refused by the mail server: choose another",
};

const PARENT_FAULTS: Readonly<Record<FolderParentInvalid["reason"], string>> = {
  own_descendant: "must not be the folder itself or one of its subfolders",
  too_deep: "is nested too deeply: folders have at most 10 levels",
  holds_no_folders: "cannot contain folders: this mail server has one level only",
};

const DESTINATION_FAULTS: Readonly<Record<DestinationInvalid["reason"], string>> = {
  own_descendant: "must not be the deleted folder or one of its subfolders",
  not_selectable: "cannot contain messages, only folders",
  of_owner: "must not be Sent or Drafts, which hold what the owner wrote",
  permanent: "cannot be combined with permanent=true, which destroys the messages",
};
