import { badRequest, problem } from "./problem.ts";

/** 400: several folders have this name (spec 4). */
export class FolderAmbiguous extends badRequest<FolderAmbiguous>()(
  "ambiguous_folder",
  "The folder name is ambiguous",
  "Several folders have this name. Give the id of the folder, or one of the paths in errors.",
  {
    field: "folder",
    message: "is the name of several folders: give the id, or one of the paths Clients/Archive, Projects/Archive",
  },
) {}

/** 400: the folder has no messages to list (spec 4). */
export class FolderNotSelectable extends badRequest<FolderNotSelectable>()(
  "folder_not_selectable",
  "The folder cannot contain messages",
  "The folder contains other folders only, no messages. Choose one of those; GET /api/folders lists them.",
  { field: "folder", message: "cannot contain messages, only folders" },
) {}

/** 400: a folder cannot have this name or this parent (field `parentId`); `errors` tells why (spec 4). */
export class FolderNameInvalid extends badRequest<FolderNameInvalid>()(
  "invalid_folder_name",
  "A folder cannot have this name or parent",
  "The name is not valid, or the parent cannot contain the folder. Correct the field that errors names.",
  { field: "name", message: "must not contain * or %" },
) {}

/** 400: INBOX, the special folders and their parents cannot be changed (spec 4). */
export class FolderIsSystem extends badRequest<FolderIsSystem>()(
  "system_folder",
  "A system folder cannot be changed or deleted",
  "INBOX, the folders with a role, and the folders that contain them cannot be renamed, moved or deleted. Choose another folder.",
  { field: "id", message: "must be a folder of the user that contains no system folder" },
) {}

/** 400: the folder has subfolders, and the request has no `recursive=true` (spec 4). */
export class FolderHasChildren extends badRequest<FolderHasChildren>()(
  "has_children",
  "The folder has subfolders",
  "The folder contains other folders. Delete these first, or repeat the request with recursive=true to delete them too.",
  { field: "recursive", message: "must be true to delete the subfolders too" },
) {}

/** 400: the messages of a deleted folder cannot be moved there (spec 4). */
export class DestinationInvalid extends badRequest<DestinationInvalid>()(
  "invalid_destination",
  "The messages cannot be moved there",
  "The folder in moveTo is deleted too, cannot contain messages, or contradicts permanent=true. Choose another folder, or leave moveTo out.",
  { field: "moveTo", message: "must not be the deleted folder or one of its subfolders" },
) {}

/** 404: the account has no such folder (spec 2.3). */
export class FolderNotFound extends problem<FolderNotFound>()(
  "folder_not_found",
  404,
  "Folder not found",
  "The mailbox has no folder with this id, path or name. List the folders with GET /api/folders.",
) {}

/** 409: the folder has another version (spec 2.7). */
export class FolderChanged extends problem<FolderChanged>()(
  "folder_changed",
  409,
  "The folder was changed meanwhile",
  "Nothing was changed: the folder no longer has the version in If-Match. Read it with GET /api/settings/folders, then repeat the request with its version.",
) {}

/** 409: another folder of the same parent has this name, ignoring letter case and Unicode normalization (spec 2.3, 4). */
export class FolderExists extends problem<FolderExists>()(
  "folder_exists",
  409,
  "A folder with this name already exists",
  "A folder with the same parent has this name, perhaps in another case or Unicode form. Choose another name.",
) {}
