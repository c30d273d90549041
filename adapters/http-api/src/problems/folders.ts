import * as Problem from "@postern/api";
import type { DestinationInvalid, FolderNameInvalid, FolderParentInvalid } from "@postern/core/mail";
import type { ProblemTable } from "./table.ts";

/** Answers to the errors of finding, creating, changing and deleting folders (spec 4). */
export const FOLDER_PROBLEMS = {
  FolderNotFound: (_, requestId) => ({ problem: new Problem.FolderNotFound({ requestId }) }),
  FolderAmbiguous: ({ paths }, requestId) => ({
    problem: new Problem.FolderAmbiguous({
      requestId,
      errors: [{ field: "folder", message: `is the name of ${paths.join(", ")}: give the path or the id` }],
    }),
  }),
  FolderNotSelectable: (_, requestId) => ({
    problem: new Problem.FolderNotSelectable({
      requestId,
      errors: [{ field: "folder", message: "holds folders only, no messages" }],
    }),
  }),
  FolderExists: (_, requestId) => ({
    problem: new Problem.FolderExists({
      requestId,
      detail: "Case and Unicode form make no difference: take another name.",
    }),
  }),
  FolderIsSystem: (_, requestId) => ({
    problem: new Problem.FolderIsSystem({
      requestId,
      errors: [{ field: "id", message: "must be a folder of your own, with no system folder in it" }],
    }),
  }),
  FolderHasChildren: (_, requestId) => ({
    problem: new Problem.FolderHasChildren({
      requestId,
      errors: [{ field: "recursive", message: "must be true to delete the folders in it too" }],
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

/* What is wrong with a folder that was asked for, to follow the name of the field. */

const NAME_FAULTS: Readonly<Record<FolderNameInvalid["reason"], string>> = {
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

const PARENT_FAULTS: Readonly<Record<FolderParentInvalid["reason"], string>> = {
  own_descendant: "must not be the folder itself or one that lies in it",
  too_deep: "lies too deep: folders have at most 10 levels",
  holds_no_folders: "cannot hold folders: this mail server has one level only",
};

const DESTINATION_FAULTS: Readonly<Record<DestinationInvalid["reason"], string>> = {
  own_descendant: "must not be the deleted folder or one that lies in it",
  not_selectable: "holds folders only, no messages",
  permanent: "cannot go together with permanent=true, which destroys the messages",
};
