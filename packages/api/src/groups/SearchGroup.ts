import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { Authorization } from "../Authorization.ts";
import { FolderAmbiguous, FolderNotFound, FolderNotSelectable } from "../problems/folders.ts";
import { MAIL_SERVER_PROBLEMS } from "../problems/mail-server.ts";
import { CursorStale, MessageNotFound } from "../problems/messages.ts";
import { PositiveInt, Text, textUpTo } from "../wire.ts";
import { EmailPage } from "./InboxGroup.ts";

/** Text a mail server can be asked for. */
export const SearchText = textUpTo(500).check(
  Schema.makeFilter((text) => (/\p{Cc}/u.test(text) ? "must not contain control characters" : undefined)),
);

/** A day of the calendar. */
export const Day = Text.check(
  Schema.makeFilter((day) =>
    /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day)) ? undefined : "must be a day as YYYY-MM-DD",
  ),
).annotate({ format: "date" });

const Flag = Schema.Literals(["true", "false"]);

/** What was found, in the form of a listing. */
export const FoundPage = Schema.Struct({
  ...EmailPage.fields,
  folder: Schema.NullOr(Schema.String).annotate({ description: "Path of the folder searched; null for all." }),
}).annotate({ identifier: "FoundPage" });

const search = HttpApiEndpoint.get("search", "/search", {
  query: {
    folder: Schema.optionalKey(
      textUpTo(1024).annotate({ description: "As for the inbox. All folders where it is left out." }),
    ),
    from: Schema.optionalKey(SearchText),
    to: Schema.optionalKey(SearchText),
    subject: Schema.optionalKey(SearchText),
    text: Schema.optionalKey(SearchText.annotate({ description: "In the header or the text." })),
    since: Schema.optionalKey(Day.annotate({ description: "Arrived on this day or later." })),
    before: Schema.optionalKey(Day.annotate({ description: "Arrived before this day." })),
    unread: Schema.optionalKey(Flag),
    flagged: Schema.optionalKey(Flag),
    hasAttachments: Schema.optionalKey(Flag),
    larger: Schema.optionalKey(PositiveInt.annotate({ description: "Bytes." })),
    smaller: Schema.optionalKey(PositiveInt.annotate({ description: "Bytes." })),
    page: Schema.optionalKey(PositiveInt),
    limit: Schema.optionalKey(PositiveInt.annotate({ description: "Messages per page. Default 20, at most 200." })),
    cursor: Schema.optionalKey(textUpTo(4096).annotate({ description: "`nextCursor` of the page before." })),
  },
  success: FoundPage,
  error: [FolderNotFound, FolderAmbiguous, FolderNotSelectable, CursorStale, ...MAIL_SERVER_PROBLEMS],
}).annotate(OpenApi.Summary, "Search messages: folder after folder, newest first in each");

const thread = HttpApiEndpoint.get("thread", "/threads/:id", {
  params: { id: textUpTo(255).annotate({ description: "Id of any message of it, or a `threadId`." }) },
  success: FoundPage,
  error: [MessageNotFound, ...MAIL_SERVER_PROBLEMS],
}).annotate(OpenApi.Summary, "List a conversation, oldest first, at most 200 messages");

/** Searching, and conversations (spec 5). */
export class SearchGroup extends HttpApiGroup.make("search")
  .add(search)
  .add(thread)
  .prefix("/api")
  .middleware(Authorization)
  .annotate(OpenApi.Description, "Finding messages in all folders.") {}
