import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { Authorization } from "../Authorization.ts";
import { FolderAmbiguous, FolderNotFound, FolderNotSelectable } from "../problems/folders.ts";
import { MAIL_SERVER_PROBLEMS } from "../problems/mail-server.ts";
import { CursorStale } from "../problems/messages.ts";
import { Count, Instant, Ok, PositiveInt, textUpTo } from "../wire.ts";

export const Address = Schema.Struct({ name: Schema.String, address: Schema.String }).annotate({
  identifier: "Address",
});

export const AttachmentSummary = Schema.Struct({
  id: Schema.String,
  name: Schema.NullOr(Schema.String),
  type: Schema.String,
  size: Count.annotate({ description: "Bytes once decoded, reckoned from the encoded size." }),
}).annotate({ identifier: "AttachmentSummary" });

/** One message of a listing (spec 5). */
export const Email = Schema.Struct({
  id: Schema.String.annotate({ description: "Opaque; good for this account only, and over restarts." }),
  uid: Schema.Int,
  folder: Schema.String.annotate({ description: "Path of the folder it is in." }),
  messageId: Schema.NullOr(Schema.String),
  threadId: Schema.NullOr(Schema.String),
  subject: Schema.String,
  from: Schema.String.annotate({ description: "Address of the sender; empty where there is none." }),
  fromName: Schema.String,
  to: Schema.Array(Address),
  cc: Schema.Array(Address),
  date: Instant.annotate({ description: "Arrival, ISO 8601 UTC." }),
  sentAt: Schema.NullOr(Instant),
  unread: Schema.Boolean,
  flagged: Schema.Boolean,
  answered: Schema.Boolean,
  draft: Schema.Boolean,
  size: Count,
  hasAttachments: Schema.Boolean,
  attachments: Schema.Array(AttachmentSummary),
  preview: Schema.NullOr(Schema.String),
}).annotate({ identifier: "Email" });

export const EmailPage = Schema.Struct({
  ok: Ok,
  folder: Schema.String.annotate({ description: "Path of the folder listed." }),
  page: Schema.Int,
  limit: Schema.Int.annotate({ description: "The limit applied: at most 200." }),
  total: Count,
  unread: Count,
  pages: Count,
  nextCursor: Schema.NullOr(Schema.String),
  emails: Schema.Array(Email),
}).annotate({ identifier: "EmailPage" });

const list = HttpApiEndpoint.get("list", "/", {
  query: {
    folder: Schema.optionalKey(
      textUpTo(1024).annotate({ description: "INBOX, or a folder's id, path or unambiguous name. Default INBOX." }),
    ),
    page: Schema.optionalKey(PositiveInt.annotate({ description: "From 1. Default 1." })),
    limit: Schema.optionalKey(PositiveInt.annotate({ description: "Messages per page. Default 20, at most 200." })),
    cursor: Schema.optionalKey(
      textUpTo(4096).annotate({
        description: "`nextCursor` of the page before: nothing twice and nothing left out while mail arrives.",
      }),
    ),
  },
  success: EmailPage,
  error: [FolderNotFound, FolderAmbiguous, FolderNotSelectable, CursorStale, ...MAIL_SERVER_PROBLEMS],
}).annotate(OpenApi.Summary, "List the messages of a folder, newest first");

/** Listing messages (spec 5.1). */
export class InboxGroup extends HttpApiGroup.make("inbox")
  .add(list)
  .prefix("/api/inbox")
  .middleware(Authorization)
  .annotate(OpenApi.Description, "The messages of a folder.") {}
