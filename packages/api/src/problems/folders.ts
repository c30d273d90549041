import { badRequest, problem } from "./problem.ts";

/** 400: name the folder by its path or id instead (spec 4). */
export class FolderAmbiguous extends badRequest<FolderAmbiguous>()(
  "ambiguous_folder",
  "The folder name is ambiguous.",
) {}

/** 400: the folder has no messages to list (spec 4). */
export class FolderNotSelectable extends badRequest<FolderNotSelectable>()(
  "folder_not_selectable",
  "This folder holds folders only.",
) {}

/** 400: the name, or the place (field `parentId`), is not one a folder can have; `errors` says why (spec 4). */
export class FolderNameInvalid extends badRequest<FolderNameInvalid>()(
  "invalid_folder_name",
  "A folder cannot have this name or place.",
) {}

/** 400: INBOX, the special folders and what they lie in stay as they are (spec 4). */
export class FolderIsSystem extends badRequest<FolderIsSystem>()(
  "system_folder",
  "A system folder cannot be changed or deleted.",
) {}

/** 400: ask with `recursive=true` to delete the folders in it too (spec 4). */
export class FolderHasChildren extends badRequest<FolderHasChildren>()(
  "has_children",
  "Other folders lie in this one.",
) {}

/** 400: the messages of a deleted folder cannot go there (spec 4). */
export class DestinationInvalid extends badRequest<DestinationInvalid>()(
  "invalid_destination",
  "The messages cannot be moved there.",
) {}

/** 404 (spec 2.3). */
export class FolderNotFound extends problem<FolderNotFound>()("folder_not_found", 404, "There is no such folder.") {}

/** 409: a sibling has this name, in whatever case or Unicode form (spec 2.3, 4). */
export class FolderExists extends problem<FolderExists>()(
  "folder_exists",
  409,
  "A folder with this name already exists.",
) {}
