import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { Authorization } from "../Authorization.ts";
import { MAIL_SERVER_PROBLEMS } from "../problems/mail-server.ts";
import { Count, Ok } from "../wire.ts";

/** Spec 2.4, 4.1. */
export const Folder = Schema.Struct({
  id: Schema.String.annotate({ description: "The role word for special folders, else `f_…`; survives renames." }),
  name: Schema.String,
  unreadCount: Count,
  totalCount: Count,
  path: Schema.String.annotate({ description: "The whole name with the folders it lies in." }),
  role: Schema.NullOr(Schema.Literals(["inbox", "sent", "drafts", "trash", "junk", "archive"])),
  parentId: Schema.NullOr(Schema.String),
  delimiter: Schema.NullOr(Schema.String),
  selectable: Schema.Boolean.annotate({ description: "False for a folder that holds folders only." }),
}).annotate({ identifier: "Folder" });

export const FolderList = Schema.Struct({ ok: Ok, folders: Schema.Array(Folder) }).annotate({
  identifier: "FolderList",
});

const list = HttpApiEndpoint.get("list", "/", {
  success: FolderList,
  error: MAIL_SERVER_PROBLEMS,
}).annotate(OpenApi.Summary, "List the folders with their counts");

/** Listing folders (spec 4.1). */
export class FoldersGroup extends HttpApiGroup.make("folders")
  .add(list)
  .prefix("/api/folders")
  .middleware(Authorization)
  .annotate(OpenApi.Description, "The folders of the mailbox.") {}
