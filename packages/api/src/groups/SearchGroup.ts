import { messageFields, messageRules, searchFields } from "@postern/core/rules";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { Authorization } from "../auth/Authorization.ts";
import { documented } from "../document/documented.ts";
import { EMAIL_PAGE, MESSAGE_ID } from "../examples/mail.ts";
import { FolderAmbiguous, FolderNotFound, FolderNotSelectable } from "../problems/folders.ts";
import { MAIL_SERVER_PROBLEMS } from "../problems/mail-server.ts";
import { CursorStale, MessageNotFound } from "../problems/messages.ts";
import { Flag } from "../records/wire.ts";
import { EmailPage, paging, PreviewQuery } from "./InboxGroup.ts";

/** A page of search results, in the form of a listing. */
export const FoundPage = Schema.Struct({
  ...EmailPage.fields,
  folder: Schema.NullOr(Schema.String).annotate({
    description: "Path of the folder searched; null if all folders were searched.",
  }),
}).annotate({ identifier: "FoundPage", description: "A page of search results." });

/** Descriptions of the criteria that a search and a batch have in common. */
export const CRITERIA = {
  folder: "Folder to search: `INBOX`, an id, a path, or a name that is unique. Default: all folders.",
  from: "Text in the field From: part of a name or an address.",
  to: "Text in the field To: part of a name or an address.",
  cc: "Text in the field Cc: part of a name or an address.",
  subject: "Text in the subject.",
  text: "Text in the header or the body.",
  since: "First day of arrival, `YYYY-MM-DD`, in the time zone of the mail server.",
  before: "Messages that arrived before this day, `YYYY-MM-DD`, in the time zone of the mail server.",
  unread: "`true`: unread messages only; `false`: read messages only.",
  flagged: "`true`: flagged messages only; `false`: the others only.",
  hasAttachments: "`true`: messages with attachments only; `false`: the others only.",
  larger: "Messages larger than this many bytes.",
  smaller: "Messages smaller than this many bytes.",
} as const;

const search = HttpApiEndpoint.get("search", "/search", {
  query: Schema.Struct({
    folder: Schema.optionalKey(searchFields.folder.annotate({ description: CRITERIA.folder })),
    from: Schema.optionalKey(
      searchFields.from.annotate({ description: CRITERIA.from, examples: ["friend@postern.test"] }),
    ),
    to: Schema.optionalKey(searchFields.to.annotate({ description: CRITERIA.to })),
    cc: Schema.optionalKey(searchFields.cc.annotate({ description: CRITERIA.cc })),
    subject: Schema.optionalKey(
      searchFields.subject.annotate({ description: CRITERIA.subject, examples: ["invoice"] }),
    ),
    text: Schema.optionalKey(searchFields.text.annotate({ description: CRITERIA.text })),
    scope: Schema.optionalKey(
      searchFields.scope.annotate({
        description:
          "Where `text` is searched: `headers` is From, To, Cc and the subject, which mail servers search fast. Default: `all`.",
      }),
    ),
    since: Schema.optionalKey(searchFields.since.annotate({ description: CRITERIA.since, examples: ["2026-03-01"] })),
    before: Schema.optionalKey(
      searchFields.before.annotate({ description: CRITERIA.before, examples: ["2026-04-01"] }),
    ),
    unread: Schema.optionalKey(Flag.annotate({ description: CRITERIA.unread })),
    flagged: Schema.optionalKey(Flag.annotate({ description: CRITERIA.flagged })),
    hasAttachments: Schema.optionalKey(Flag.annotate({ description: CRITERIA.hasAttachments })),
    larger: Schema.optionalKey(searchFields.larger.annotateKey({ description: CRITERIA.larger })),
    smaller: Schema.optionalKey(searchFields.smaller.annotateKey({ description: CRITERIA.smaller })),
    ...paging,
    preview: PreviewQuery,
  }).check(messageRules.search),
  success: FoundPage,
  error: [FolderNotFound, FolderAmbiguous, FolderNotSelectable, CursorStale, ...MAIL_SERVER_PROBLEMS],
}).annotateMerge(
  documented({
    scope: "mail:read",
    summary: "Search messages",
    description:
      "Returns the messages that meet all criteria: folder by folder, latest arrival first in each. Without criteria it " +
      "lists all messages. The mail server searches, so its rules decide which text matches.",
    answer: { ...EMAIL_PAGE, folder: null, total: 1, unread: 1, pages: 1, nextCursor: null },
  }),
);

const thread = HttpApiEndpoint.get("thread", "/threads/:id", {
  params: {
    id: messageFields.threadId.annotate({
      description: "Id of any message of the conversation, or a `threadId`.",
      examples: [MESSAGE_ID],
    }),
  },
  success: FoundPage,
  error: [MessageNotFound, ...MAIL_SERVER_PROBLEMS],
}).annotateMerge(
  documented({
    scope: "mail:read",
    summary: "List a conversation",
    description: "Returns the messages of a conversation from all folders, oldest first, at most 200, on one page.",
    answer: { ...EMAIL_PAGE, folder: null, total: 1, unread: 1, pages: 1, nextCursor: null },
  }),
);

/** Searching, and conversations (spec 5). */
export class SearchGroup extends HttpApiGroup.make("search")
  .add(search)
  .add(thread)
  .prefix("/api")
  .middleware(Authorization)
  .annotate(OpenApi.Title, "Search")
  .annotate(OpenApi.Description, "Find messages and conversations in all folders.") {}
