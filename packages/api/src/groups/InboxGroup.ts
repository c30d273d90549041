import { Count, listingFields, messageRules, searchFields } from "@postern/core/rules";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { Authorization } from "../auth/Authorization.ts";
import { documented } from "../document/documented.ts";
import { EMAIL_PAGE } from "../examples/mail.ts";
import { FolderAmbiguous, FolderNotFound, FolderNotSelectable } from "../problems/folders.ts";
import { MAIL_SERVER_PROBLEMS } from "../problems/mail-server.ts";
import { CursorStale, ListingNotReady } from "../problems/messages.ts";
import { Email } from "../records/emails.ts";
import { FolderIdQuery, paging, PreviewQuery } from "../records/listing-query.ts";
import { NextCursor, Ok } from "../records/wire.ts";

export const EmailPage = Schema.Struct({
  ok: Ok,
  folder: Schema.String.annotate({ description: "Path of the folder listed." }),
  folderId: Schema.String.annotate({ description: "Id of the folder listed." }),
  page: Schema.Int.annotate({ description: "Number of this page, from 1." }),
  limit: Schema.Int.annotate({ description: "Messages per page as applied: at most 200." }),
  total: Count.annotate({ description: "Number of messages on all pages." }),
  unread: Count.annotate({ description: "Number of unread messages on all pages." }),
  pages: Count.annotate({ description: "Number of pages." }),
  nextCursor: Schema.NullOr(Schema.String).annotate({
    description: "`cursor` of the request for the next page; null on the last page.",
  }),
  emails: Schema.Array(Email).annotate({ description: "The messages of this page, latest arrival first." }),
}).annotate({ identifier: "EmailPage", description: "A page of a listing." });

const list = HttpApiEndpoint.get("list", "/", {
  query: Schema.Struct({
    folder: Schema.optionalKey(
      searchFields.folder.annotate({
        description: "Folder to list: `INBOX`, an id, a path, or a name that is unique. Default: `INBOX`.",
        examples: ["INBOX"],
      }),
    ),
    folderId: FolderIdQuery,
    ...paging,
    preview: PreviewQuery,
  }).check(messageRules.folder),
  success: EmailPage,
  error: [FolderNotFound, FolderAmbiguous, FolderNotSelectable, CursorStale, ...MAIL_SERVER_PROBLEMS],
}).annotateMerge(
  documented({
    scope: "mail:read",
    summary: "List the messages of a folder",
    description:
      "Returns a page of messages, latest arrival first, as they are on the mail server now. Messages stay unread. " +
      "A page after the last is empty, not an error. Use `cursor` to walk through a folder while mail arrives. The " +
      "answer has an `ETag`, and `If-None-Match` with it is answered 304. The request header `Cache-Control: " +
      "max-age=N` allows an answer up to N seconds old (60 at most) where the account is watched; the header `Age` " +
      "gives its age.",
    answer: EMAIL_PAGE,
  }),
);

/** The messages of an account (spec 5.7). */
export const listAccount = HttpApiEndpoint.get("list", "/", {
  query: {
    folders: Schema.optionalKey(
      listingFields.folders.annotate({
        description:
          "Folders to list: roles and ids, with commas between them; `*` means all but Junk and Trash. Default: `*`.",
        examples: ["*,junk,trash"],
      }),
    ),
    cursor: Schema.optionalKey(
      listingFields.cursor.annotate({ description: "`nextCursor` of the previous part, with the same `folders`." }),
    ),
    limit: Schema.optionalKey(
      listingFields.limit.annotateKey({ description: "Maximum number of messages in an answer. Default: 200." }),
    ),
  },
  success: Schema.Struct({
    ok: Ok,
    data: Schema.Array(Email).annotate({
      description: "The messages, folder by folder, in each the latest arrival first. `preview` is null.",
    }),
    nextCursor: NextCursor,
  }),
  error: [FolderNotFound, CursorStale, ListingNotReady, ...MAIL_SERVER_PROBLEMS],
}).annotateMerge(
  documented({
    scope: "mail:read",
    summary: "List the messages of all folders",
    description:
      "Returns every message once. If the account follows all folders, the list has the messages that are recorded. " +
      "For a complete copy, first read `next` of `GET /api/changes`, then list, then follow the feed from `next`. " +
      "A message that moves meanwhile is in the list, in the feed, or in both under one `id`. An answer can have " +
      "fewer messages than `limit`; the last answer has no `nextCursor`.",
    answer: { ok: true, data: EMAIL_PAGE.emails.map((email) => ({ ...email, preview: null })), nextCursor: null },
  }),
);

/** Listing messages (spec 5.1). */
export class InboxGroup extends HttpApiGroup.make("inbox")
  .add(list)
  .prefix("/api/inbox")
  .middleware(Authorization)
  .annotate(OpenApi.Title, "Inbox")
  .annotate(OpenApi.Description, "List the messages of INBOX or of another folder.") {}
