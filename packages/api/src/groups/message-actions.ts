import { Schema } from "effect";
import { HttpApiEndpoint, OpenApi } from "effect/http-api";
import { FolderAmbiguous, FolderNotFound, FolderNotSelectable } from "../problems/folders.ts";
import { MAIL_SERVER_PROBLEMS } from "../problems/mail-server.ts";
import { MessageNotFound } from "../problems/messages.ts";
import { Count, Ok, textUpTo } from "../wire.ts";
import { Email } from "./InboxGroup.ts";
import { Day, SearchText } from "./SearchGroup.ts";

/** Messages of one batch. */
const MOST_IDS = 1000;

const Flag = Schema.Literals(["true", "false"]);
const id = textUpTo(128);

const CHANGE = {
  unread: Schema.optionalKey(Schema.Boolean),
  flagged: Schema.optionalKey(Schema.Boolean),
  answered: Schema.optionalKey(Schema.Boolean),
  folderId: Schema.optionalKey(textUpTo(128).annotate({ description: "The folder it is to be in." })),
};

const isGiven = (value: object): boolean => Object.values(value).some((one) => one !== undefined);

/** What is to change about a message; what is left out stays. */
export const MessageChange = Schema.Struct(CHANGE)
  .check(
    Schema.makeFilter((change) =>
      isGiven(change) ? undefined : { path: ["unread"], issue: "give unread, flagged, answered or folderId" },
    ),
  )
  .annotate({ identifier: "MessageChange" });

const NewId = Schema.NullOr(Schema.String).annotate({
  description: "Its id from now on. Null: it is gone, or the mail server does not say.",
});

/** A message after a change. */
export const ChangedMessage = Schema.Struct({
  ...Email.fields,
  id: NewId,
  uid: Schema.NullOr(Schema.Int),
}).annotate({ identifier: "ChangedMessage" });

export const RemovedMessage = Schema.Struct({
  id: Schema.String,
  deleted: Schema.Literal(true),
  movedTo: Schema.NullOr(Schema.String).annotate({ description: "The folder it is in now." }),
  newId: NewId,
}).annotate({ identifier: "RemovedMessage" });

const BatchQuery = Schema.Struct({
  folder: Schema.optionalKey(textUpTo(1024).annotate({ description: "All folders where it is left out." })),
  from: Schema.optionalKey(SearchText),
  to: Schema.optionalKey(SearchText),
  subject: Schema.optionalKey(SearchText),
  text: Schema.optionalKey(SearchText),
  since: Schema.optionalKey(Day),
  before: Schema.optionalKey(Day),
  unread: Schema.optionalKey(Schema.Boolean),
  flagged: Schema.optionalKey(Schema.Boolean),
  hasAttachments: Schema.optionalKey(Schema.Boolean),
  larger: Schema.optionalKey(Count),
  smaller: Schema.optionalKey(Count),
})
  .check(
    Schema.makeFilter((query) =>
      isGiven(query) ? undefined : { path: ["folder"], issue: "say what is searched for, at least a folder" },
    ),
  )
  .annotate({ identifier: "BatchQuery", description: "The newest 1,000 that are found." });

/** Messages, by their ids or by what is searched for, and what is done to them. */
export const MessageBatchRequest = Schema.Struct({
  ids: Schema.optionalKey(
    Schema.Array(id).check(
      Schema.isMinLength(1, { message: "must not be empty" }),
      Schema.isMaxLength(MOST_IDS, { message: `must be at most ${MOST_IDS}` }),
    ),
  ),
  query: Schema.optionalKey(BatchQuery),
  change: Schema.optionalKey(MessageChange),
  delete: Schema.optionalKey(Schema.Literals(["trash", "permanent"])),
})
  .check(
    Schema.makeFilter((request) =>
      (request.ids === undefined) === (request.query === undefined)
        ? { path: ["ids"], issue: "give ids or a query" }
        : (request.change === undefined) === (request.delete === undefined)
          ? { path: ["change"], issue: "give a change or delete" }
          : undefined,
    ),
  )
  .annotate({ identifier: "MessageBatchRequest" });

export const MessageBatchResult = Schema.Struct({
  ok: Ok,
  data: Schema.Struct({
    movedTo: Schema.NullOr(Schema.String),
    results: Schema.Array(
      Schema.Struct({
        id: Schema.String,
        ok: Schema.Boolean,
        newId: NewId,
        code: Schema.NullOr(Schema.Literal("message_not_found")),
      }),
    ),
  }),
}).annotate({ identifier: "MessageBatchResult" });

const errors = [FolderNotFound, FolderNotSelectable, ...MAIL_SERVER_PROBLEMS] as const;

export const change = HttpApiEndpoint.patch("change", "/:id", {
  params: { id },
  payload: MessageChange,
  success: Schema.Struct({ ok: Ok, data: ChangedMessage }),
  error: [MessageNotFound, ...errors],
}).annotate(OpenApi.Summary, "Change a message's flags or folder");

export const remove = HttpApiEndpoint.delete("remove", "/:id", {
  params: { id },
  query: {
    permanent: Schema.optionalKey(Flag.annotate({ description: "`true` destroys it; otherwise it goes to Trash." })),
  },
  success: Schema.Struct({ ok: Ok, data: RemovedMessage }),
  error: [MessageNotFound, ...errors],
}).annotate(OpenApi.Summary, "Delete a message");

export const batch = HttpApiEndpoint.post("batch", "/batch", {
  payload: MessageBatchRequest,
  success: MessageBatchResult,
  error: [FolderAmbiguous, ...errors],
}).annotate(OpenApi.Summary, "Change or delete up to 1,000 messages");
