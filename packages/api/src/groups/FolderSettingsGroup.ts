import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { Authorization } from "../Authorization.ts";
import {
  DestinationInvalid,
  FolderExists,
  FolderHasChildren,
  FolderIsSystem,
  FolderNameInvalid,
  FolderNotFound,
} from "../problems/folders.ts";
import { MAIL_SERVER_PROBLEMS } from "../problems/mail-server.ts";
import { Count, Instant, Ok } from "../wire.ts";

/** Spec 2.4. */
export const ManagedFolder = Schema.Struct({
  id: Schema.String.annotate({ description: "Stays through renames." }),
  name: Schema.String,
  parentId: Schema.NullOr(Schema.String).annotate({ description: "Null for a folder at the top." }),
  createdAt: Instant.annotate({ description: "For a folder made by another client: when it was first seen." }),
  messageCount: Count,
}).annotate({ identifier: "ManagedFolder" });

const Name = Schema.String.annotate({
  description: "1 to 255 bytes as IMAP encodes it; no control characters, delimiter, `*`, `%`, `..` or edge spaces.",
});
const ParentId = Schema.NullOr(Schema.String).annotate({ description: "Null: at the top." });

/** What a folder is made from. */
export const NewFolder = Schema.Struct({ name: Name, parentId: Schema.optionalKey(ParentId) }).annotate({
  identifier: "NewFolder",
});

/** What is to change about a folder; what is left out stays. */
export const FolderChange = Schema.Struct({ name: Schema.optionalKey(Name), parentId: Schema.optionalKey(ParentId) })
  .check(
    Schema.makeFilter((change) =>
      change.name === undefined && change.parentId === undefined
        ? { path: ["name"], issue: "give a name, a parentId or both" }
        : undefined,
    ),
  )
  .annotate({ identifier: "FolderChange" });

/** What became of a folder and its messages. */
export const RemovedFolder = Schema.Struct({
  id: Schema.String,
  deleted: Schema.Literal(true),
  movedTo: Schema.NullOr(Schema.String).annotate({ description: "The folder that has the messages now." }),
  movedCount: Count,
}).annotate({ identifier: "RemovedFolder" });

export const ManagedFolderAnswer = Schema.Struct({ ok: Ok, data: ManagedFolder });
export const ManagedFolderList = Schema.Struct({ ok: Ok, data: Schema.Array(ManagedFolder) });

const Flag = Schema.Literals(["true", "false"]);
const params = { id: Schema.String };

const list = HttpApiEndpoint.get("list", "/", {
  success: ManagedFolderList,
  error: MAIL_SERVER_PROBLEMS,
}).annotate(OpenApi.Summary, "List the user's own folders");

const create = HttpApiEndpoint.post("create", "/", {
  payload: NewFolder,
  success: ManagedFolderAnswer,
  error: [FolderNameInvalid, FolderNotFound, FolderExists, ...MAIL_SERVER_PROBLEMS],
}).annotate(OpenApi.Summary, "Make a folder");

const change = HttpApiEndpoint.patch("change", "/:id", {
  params,
  payload: FolderChange,
  success: ManagedFolderAnswer,
  error: [FolderNameInvalid, FolderIsSystem, FolderNotFound, FolderExists, ...MAIL_SERVER_PROBLEMS],
}).annotate(OpenApi.Summary, "Rename or move a folder");

const remove = HttpApiEndpoint.delete("remove", "/:id", {
  params,
  query: {
    moveTo: Schema.optionalKey(
      Schema.String.annotate({ description: "Id of the folder that gets the messages. Default: Trash." }),
    ),
    permanent: Schema.optionalKey(Flag.annotate({ description: "`true` destroys the messages." })),
    recursive: Schema.optionalKey(Flag.annotate({ description: "`true` deletes the folders in it too." })),
  },
  success: Schema.Struct({ ok: Ok, data: RemovedFolder }),
  error: [FolderIsSystem, FolderHasChildren, DestinationInvalid, FolderNotFound, ...MAIL_SERVER_PROBLEMS],
}).annotate(OpenApi.Summary, "Delete a folder and move what is in it");

/** Making, renaming and deleting folders (spec 4.4, 4.6). */
export class FolderSettingsGroup extends HttpApiGroup.make("folderSettings")
  .add(list)
  .add(create)
  .add(change)
  .add(remove)
  .prefix("/api/settings/folders")
  .middleware(Authorization)
  .annotate(OpenApi.Description, "The user's own folders.") {}
