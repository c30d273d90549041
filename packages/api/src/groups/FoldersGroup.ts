import { Count } from "@postern/core/rules";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { Authorization } from "../auth/Authorization.ts";
import { documented } from "../document/documented.ts";
import { INVOICES } from "../examples/mail.ts";
import { MAIL_SERVER_PROBLEMS } from "../problems/mail-server.ts";
import { Ok } from "../records/wire.ts";

/** A folder in the list (spec 2.4, 4.1). */
export const Folder = Schema.Struct({
  id: Schema.String.annotate({
    description:
      "The role of the folder, or `f_…` for a folder without a role. It does not change when the folder " +
      "is renamed.",
  }),
  name: Schema.String.annotate({ description: "Name of the folder, without its parents." }),
  unreadCount: Count.annotate({ description: "Number of unread messages." }),
  totalCount: Count.annotate({ description: "Number of messages." }),
  path: Schema.String.annotate({ description: "Names of the parents and of the folder, joined by `delimiter`." }),
  role: Schema.NullOr(Schema.Literals(["inbox", "sent", "drafts", "trash", "junk", "archive"])).annotate({
    description: "Purpose of the folder; null for a folder of the user.",
  }),
  parentId: Schema.NullOr(Schema.String).annotate({ description: "Id of the parent; null at the top level." }),
  delimiter: Schema.NullOr(Schema.String).annotate({
    description: "Character between the names in `path`; null if the mail server has one level only.",
  }),
  selectable: Schema.Boolean.annotate({ description: "False for a folder that contains folders only, no messages." }),
}).annotate({ identifier: "Folder", description: "A folder of the mailbox." });

export const FolderList = Schema.Struct({
  ok: Ok,
  folders: Schema.Array(Folder).annotate({ description: "All folders: those with a role first, then by path." }),
}).annotate({ identifier: "FolderList", description: "The folders of the mailbox." });

const list = HttpApiEndpoint.get("list", "/", {
  success: FolderList,
  error: MAIL_SERVER_PROBLEMS,
}).annotateMerge(
  documented({
    scope: "mail:read",
    summary: "List the folders",
    description:
      "Returns every folder of the mailbox with its counts, read from the mail server now. The list has one page.",
    answer: {
      ok: true,
      folders: [
        {
          id: "inbox",
          name: "INBOX",
          path: "INBOX",
          role: "inbox",
          parentId: null,
          delimiter: "/",
          selectable: true,
          unreadCount: 47,
          totalCount: 227,
        },
        {
          id: INVOICES,
          name: "Invoices",
          path: "Invoices",
          role: null,
          parentId: null,
          delimiter: "/",
          selectable: true,
          unreadCount: 0,
          totalCount: 12,
        },
      ],
    },
  }),
);

/** Listing folders (spec 4.1). */
export class FoldersGroup extends HttpApiGroup.make("folders")
  .add(list)
  .prefix("/api/folders")
  .middleware(Authorization)
  .annotate(OpenApi.Title, "Folders")
  .annotate(OpenApi.Description, "List the folders of the mailbox with their counts.") {}
