import { badRequest, problem } from "./problem.ts";

/** 400: several folders have this name (spec 4). */
export class FolderAmbiguous extends badRequest<FolderAmbiguous>()(
  "ambiguous_folder",
  "The folder name is ambiguous",
  "Several folders have this name. Give the id or the path instead; `errors` lists the paths.",
) {}

/** 400: the folder has no messages to list (spec 4). */
export class FolderNotSelectable extends badRequest<FolderNotSelectable>()(
  "folder_not_selectable",
  "The folder cannot contain messages",
  "The folder contains other folders only (`selectable` is false). Name one of those.",
) {}

/** 400: the name, or the parent (field `parentId`), is not one a folder can have; `errors` says why (spec 4). */
export class FolderNameInvalid extends badRequest<FolderNameInvalid>()(
  "invalid_folder_name",
  "A folder cannot have this name or parent",
  "The name is not valid, or the parent cannot contain the folder. `errors` says why.",
) {}

/** 400: INBOX, the special folders and their parents cannot be changed (spec 4). */
export class FolderIsSystem extends badRequest<FolderIsSystem>()(
  "system_folder",
  "A system folder cannot be changed or deleted",
  "INBOX, the folders with a role, and the folders that contain them cannot be renamed, moved or deleted.",
) {}

/** 400: ask with `recursive=true` to delete the subfolders too (spec 4). */
export class FolderHasChildren extends badRequest<FolderHasChildren>()(
  "has_children",
  "The folder has subfolders",
  "Delete the subfolders first, or ask with `recursive=true` to delete them too.",
) {}

/** 400: the messages of a deleted folder cannot go there (spec 4). */
export class DestinationInvalid extends badRequest<DestinationInvalid>()(
  "invalid_destination",
  "The messages cannot be moved there",
  "The folder named by `moveTo` is deleted too, cannot contain messages, or contradicts `permanent=true`.",
) {}

/** 404 (spec 2.3). */
export class FolderNotFound extends problem<FolderNotFound>()(
  "folder_not_found",
  404,
  "Folder not found",
  "The mailbox has no folder with this id, path or name. `GET /api/folders` lists the folders.",
) {}

/** 409: a sibling has this name, in whatever case or Unicode form (spec 2.3, 4). */
export class FolderExists extends problem<FolderExists>()(
  "folder_exists",
  409,
  "A folder with this name already exists",
  "Names of folders with the same parent must differ by more than case and Unicode form. Choose another name.",
) {}
