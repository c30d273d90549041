import { Count, folderRule } from "@postern/core/rules";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { Authorization } from "../auth/Authorization.ts";
import { documented } from "../document/documented.ts";
import { INVOICES, PROJECTS } from "../examples/mail.ts";
import { AgentNotAllowed } from "../problems/approvals.ts";
import {
  DestinationInvalid,
  FolderChanged,
  FolderExists,
  FolderHasChildren,
  FolderIsSystem,
  FolderNameInvalid,
  FolderNotFound,
} from "../problems/folders.ts";
import { CreationKeyHeaders, IfMatchHeaders, Version } from "../records/preconditions.ts";
import { REPEAT_PROBLEMS } from "../problems/creations.ts";
import { MAIL_SERVER_PROBLEMS } from "../problems/mail-server.ts";
import { Deleted, Flag, Instant, Ok } from "../records/wire.ts";

const FolderId = Schema.String.annotate({
  description: "Id of the folder, as in `GET /api/folders`.",
  examples: [INVOICES],
});

/** A folder of the user (spec 2.4). */
export const ManagedFolder = Schema.Struct({
  id: Schema.String.annotate({ description: "Id of the folder. It does not change when the folder is renamed." }),
  version: Version,
  name: Schema.String.annotate({ description: "Name of the folder, without its parents." }),
  parentId: Schema.NullOr(Schema.String).annotate({ description: "Id of the parent; null at the top level." }),
  createdAt: Instant.annotate({
    description: "Time of creation; for a folder created by another client, when Postern first saw it.",
  }),
  messageCount: Count.annotate({ description: "Number of messages." }),
}).annotate({ identifier: "ManagedFolder", description: "A folder of the user." });

const Name = Schema.String.annotate({
  description:
    "Name of the folder: 1 to 255 bytes as IMAP encodes it, without control characters, the delimiter, `*`, `%`, " +
    "`..` or spaces at either end. It must differ from the names of its siblings by more than case.",
});
const ParentId = Schema.NullOr(Schema.String).annotate({
  description: "Id of the parent folder; null for the top level. Folders nest at most 10 levels deep.",
});

/** The folder to create. */
export const NewFolder = Schema.Struct({ name: Name, parentId: Schema.optionalKey(ParentId) }).annotate({
  identifier: "NewFolder",
  description: "The folder to create.",
});

/** Changes of a folder; omitted fields stay unchanged. */
export const FolderChange = Schema.Struct({ name: Schema.optionalKey(Name), parentId: Schema.optionalKey(ParentId) })
  .check(folderRule)
  .annotate({
    identifier: "FolderChange",
    description: "Changes of a folder: `name`, `parentId` or both. A field that is left out stays as it is.",
  });

/** A deleted folder, and the folder to which its messages were moved. */
export const RemovedFolder = Schema.Struct({
  id: Schema.String.annotate({ description: "Id that the folder had." }),
  deleted: Deleted,
  movedTo: Schema.NullOr(Schema.String).annotate({
    description: "Id of the folder that contains the messages now; null if they were destroyed.",
  }),
  movedCount: Count.annotate({ description: "Number of messages that were moved." }),
}).annotate({ identifier: "RemovedFolder", description: "A deleted folder, and where its messages are now." });

const data = ManagedFolder;
export const ManagedFolderAnswer = Schema.Struct({ ok: Ok, data });
export const ManagedFolderList = Schema.Struct({
  ok: Ok,
  data: Schema.Array(ManagedFolder).annotate({ description: "The user's folders, by path." }),
});

const params = { id: FolderId };

const EXAMPLE = {
  id: INVOICES,
  version: "n4bQgYhMfWWaL-qg",
  name: "Invoices",
  parentId: null,
  createdAt: "2026-03-02T09:00:00.000Z",
  messageCount: 0,
};

const list = HttpApiEndpoint.get("list", "/", {
  success: ManagedFolderList,
  error: MAIL_SERVER_PROBLEMS,
}).annotateMerge(
  documented({
    scope: "mail:read",
    summary: "List the user's folders",
    description: "Returns the folders that can be renamed and deleted: INBOX and folders with a role are left out.",
    answer: { ok: true, data: [{ ...EXAMPLE, messageCount: 12 }] },
  }),
);

const create = HttpApiEndpoint.post("create", "/", {
  headers: CreationKeyHeaders,
  payload: NewFolder,
  success: ManagedFolderAnswer,
  error: [
    AgentNotAllowed,
    FolderNameInvalid,
    FolderNotFound,
    FolderExists,
    ...REPEAT_PROBLEMS,
    ...MAIL_SERVER_PROBLEMS,
  ],
}).annotateMerge(
  documented({
    scope: "mail:delete",
    summary: "Create a folder",
    description:
      "Creates the folder on the mail server and raises `folder.created`. A repeat is refused with 409 " +
      "`folder_exists`; a repeat with the same `Idempotency-Key` gets the folder.",
    request: { name: "Invoices", parentId: null },
    answer: { ok: true, data: EXAMPLE },
  }),
);

const change = HttpApiEndpoint.patch("change", "/:id", {
  params,
  headers: IfMatchHeaders,
  payload: FolderChange,
  success: ManagedFolderAnswer,
  error: [
    AgentNotAllowed,
    FolderNameInvalid,
    FolderIsSystem,
    FolderNotFound,
    FolderChanged,
    FolderExists,
    ...MAIL_SERVER_PROBLEMS,
  ],
}).annotateMerge(
  documented({
    scope: "mail:delete",
    summary: "Rename or move a folder",
    description:
      "Changes the name, the parent or both; a field that is left out stays. Subfolders and messages move with the " +
      "folder, and its id stays. A repeat changes nothing. IMAP has no conditional rename, so Postern does not " +
      "notice a change that another mail program makes at the same moment.",
    request: { name: "Paid invoices", parentId: PROJECTS },
    answer: { ok: true, data: { ...EXAMPLE, name: "Paid invoices", parentId: PROJECTS, messageCount: 12 } },
  }),
);

const remove = HttpApiEndpoint.delete("remove", "/:id", {
  params,
  headers: IfMatchHeaders,
  query: {
    moveTo: Schema.optionalKey(
      Schema.String.annotate({
        description: "Id of the folder that the messages move to. Default: Trash.",
        examples: [PROJECTS],
      }),
    ),
    permanent: Schema.optionalKey(
      Flag.annotate({ description: "`true` destroys the messages instead of moving them. Default: `false`." }),
    ),
    recursive: Schema.optionalKey(
      Flag.annotate({ description: "`true` deletes the subfolders too. Default: `false`, which refuses them." }),
    ),
  },
  success: Schema.Struct({ ok: Ok, data: RemovedFolder }),
  error: [
    FolderIsSystem,
    FolderHasChildren,
    FolderChanged,
    DestinationInvalid,
    FolderNotFound,
    ...MAIL_SERVER_PROBLEMS,
  ],
}).annotateMerge(
  documented({
    scope: "mail:delete",
    summary: "Delete a folder",
    description:
      "Moves the messages to `moveTo`, or to Trash, and then deletes the folder. Postern resumes a deletion after a " +
      "restart. If the mail server refuses the deletion for 24 hours, Postern restores the folder and raises " +
      "`folder.delete_failed`.",
    answer: { ok: true, data: { id: INVOICES, deleted: true, movedTo: "trash", movedCount: 12 } },
  }),
);

/** Creating, renaming and deleting folders (spec 4.4, 4.6). */
export class FolderSettingsGroup extends HttpApiGroup.make("folderSettings")
  .add(list)
  .add(create)
  .add(change)
  .add(remove)
  .prefix("/api/settings/folders")
  .middleware(Authorization)
  .annotate(OpenApi.Title, "Folder settings")
  .annotate(OpenApi.Description, "Create, rename, move and delete the folders of the user.") {}
