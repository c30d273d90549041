import { messageFields, messageRules, searchFields } from "@postern/core/rules";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { Authorization } from "../auth/Authorization.ts";
import { documented } from "../document/documented.ts";
import { EMAIL_PAGE, MESSAGE_ID } from "../examples/mail.ts";
import { FolderAmbiguous, FolderNotFound, FolderNotSelectable } from "../problems/folders.ts";
import { MAIL_SERVER_PROBLEMS } from "../problems/mail-server.ts";
import { CursorStale, MessageNotFound } from "../problems/messages.ts";
import { Email } from "../records/emails.ts";
import { Flag } from "../records/wire.ts";
import { CRITERIA, FolderIdQuery, paging, PreviewQuery } from "../records/listing-query.ts";
import { EmailPage } from "./InboxGroup.ts";
import { labels } from "./message-actions.ts";

/** The folders that a search left out. */
const Incomplete = Schema.Struct({
  unsearched: Schema.Int.annotate({ description: "Number of folders that were not searched." }),
  folders: Schema.Array(
    Schema.Struct({
      id: Schema.String.annotate({ description: "Id of the folder." }),
      path: Schema.String.annotate({ description: "Path of the folder." }),
    }),
  ).annotate({ description: "These folders, at most 100." }),
}).annotate({
  identifier: "Incomplete",
  description: "The folders that were not searched, because the mail server took more than 10 seconds for the others.",
});

/** A page of search results, in the form of a listing. */
export const FoundPage = Schema.Struct({
  ...EmailPage.fields,
  folder: Schema.NullOr(Schema.String).annotate({
    description: "Path of the folder searched; null if all folders were searched.",
  }),
  folderId: Schema.NullOr(Schema.String).annotate({
    description: "Id of the folder searched; null if all folders were searched.",
  }),
  incomplete: Schema.optionalKey(
    Incomplete.annotate({
      description:
        "Present if folders were not searched in time: their messages are not in `emails`, `total` and `unread`. " +
        "A search continues with these folders at `nextCursor`.",
    }),
  ),
}).annotate({ identifier: "FoundPage", description: "A page of search results." });

/** The messages of a conversation. */
export const Conversation = Schema.Struct({
  ...FoundPage.fields,
  emails: Schema.Array(
    Schema.Struct({
      ...Email.fields,
      newText: Schema.optionalKey(
        Schema.NullOr(Schema.String).annotate({
          description:
            "Text of the message without quoted history and signature, at most 65,536 characters; null if it has none. " +
            "Present with `include=text`.",
        }),
      ),
    }).annotate({ identifier: "ConversationEmail", description: "A message of a conversation." }),
  ).annotate({ description: "The messages, oldest first." }),
}).annotate({ identifier: "Conversation", description: "A conversation, in the form of a page." });

const search = HttpApiEndpoint.get("search", "/search", {
  query: Schema.Struct({
    q: Schema.optionalKey(
      searchFields.q.annotate({
        description:
          'The search in one line: words, each of which must occur, `"a phrase"`, `-word` for a word that must not occur, and the ' +
          "operators `from:`, `to:`, `cc:`, `subject:`, `has:attachment`, `in:` (role, id, name or path of a folder), " +
          "`before:` (a day, exclusive), `after:` (a day, inclusive), `is:unread`, `is:flagged` and `label:`. Days are in UTC, " +
          "or have an offset. Another parameter must not repeat a criterion.",
        examples: ['from:priya has:attachment "spring budget" -draft'],
      }),
    ),
    folder: Schema.optionalKey(searchFields.folder.annotate({ description: CRITERIA.folder })),
    folderId: FolderIdQuery,
    from: Schema.optionalKey(
      searchFields.from.annotate({ description: CRITERIA.from, examples: ["friend@postern.test"] }),
    ),
    to: Schema.optionalKey(searchFields.to.annotate({ description: CRITERIA.to })),
    cc: Schema.optionalKey(searchFields.cc.annotate({ description: CRITERIA.cc })),
    subject: Schema.optionalKey(
      searchFields.subject.annotate({ description: CRITERIA.subject, examples: ["invoice"] }),
    ),
    messageId: Schema.optionalKey(searchFields.messageId.annotate({ description: CRITERIA.messageId })),
    text: Schema.optionalKey(searchFields.text.annotate({ description: CRITERIA.text })),
    scope: Schema.optionalKey(
      searchFields.scope.annotate({
        description:
          "Where `text`, and the words of `q`, are searched: `headers` is From, To, Cc and the subject, which mail servers search fast. Default: `all`.",
      }),
    ),
    order: Schema.optionalKey(
      searchFields.order.annotate({
        description:
          "`date`: the latest arrival first, whichever folder it is in; `folder` (the default): folder by folder. A cursor is valid only in the same order.",
      }),
    ),
    since: Schema.optionalKey(searchFields.since.annotate({ description: CRITERIA.since, examples: ["2026-03-01"] })),
    before: Schema.optionalKey(
      searchFields.before.annotate({ description: CRITERIA.before, examples: ["2026-04-01"] }),
    ),
    unread: Schema.optionalKey(Flag.annotate({ description: CRITERIA.unread })),
    flagged: Schema.optionalKey(Flag.annotate({ description: CRITERIA.flagged })),
    hasAttachments: Schema.optionalKey(Flag.annotate({ description: CRITERIA.hasAttachments })),
    label: Schema.optionalKey(searchFields.label.annotate({ description: CRITERIA.label })),
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
      "Returns the messages that meet all criteria: folder by folder, latest arrival first in each, or by date. Without criteria it " +
      "lists all messages. The mail server searches, so its rules decide which text matches. Folders that it does not " +
      "search within 10 seconds are named in `incomplete`.",
    answer: { ...EMAIL_PAGE, folder: null, folderId: null, total: 1, unread: 1, pages: 1, nextCursor: null },
  }),
);

const thread = HttpApiEndpoint.get("thread", "/threads/:id", {
  params: {
    id: messageFields.threadId.annotate({
      description: "Id of any message of the conversation, or a `threadId`.",
      examples: [MESSAGE_ID],
    }),
  },
  query: {
    include: Schema.optionalKey(
      messageFields.include.annotate({
        description: "`text` adds `newText` to each message; for that, the text of each message is read.",
      }),
    ),
  },
  success: Conversation,
  error: [MessageNotFound, ...MAIL_SERVER_PROBLEMS],
}).annotateMerge(
  documented({
    scope: "mail:read",
    summary: "List a conversation",
    description:
      "Returns the messages of a conversation from all folders, oldest first, at most 200, on one page. Folders " +
      "that the mail server does not search within 10 seconds are named in `incomplete`.",
    answer: { ...EMAIL_PAGE, folder: null, folderId: null, total: 1, unread: 1, pages: 1, nextCursor: null },
  }),
);

/** Searching, labels, and conversations (spec 5). */
export class SearchGroup extends HttpApiGroup.make("search")
  .add(search)
  .add(thread)
  .add(labels)
  .prefix("/api")
  .middleware(Authorization)
  .annotate(OpenApi.Title, "Search")
  .annotate(OpenApi.Description, "Find messages and conversations in all folders.") {}
