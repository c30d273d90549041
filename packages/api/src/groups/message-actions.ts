import { messageFields, messageRules, queryFields } from "@postern/core/rules";
import { Schema } from "effect";
import { HttpApiEndpoint } from "effect/http-api";
import { documented } from "../document/documented.ts";
import { EMAIL, INVOICES, MESSAGE_ID } from "../examples/mail.ts";
import { AgentNotAllowed } from "../problems/approvals.ts";
import { FolderAmbiguous, FolderNotFound, FolderNotSelectable } from "../problems/folders.ts";
import { InsufficientScope } from "../problems/keys.ts";
import { MAIL_SERVER_PROBLEMS } from "../problems/mail-server.ts";
import { LabelInvalid, LabelsNotSupported, MessageNotFound } from "../problems/messages.ts";
import { InvalidRequest } from "../problems/requests.ts";
import { Deleted, Flag, NextCursor, Ok, pageQuery } from "../records/wire.ts";
import { CRITERIA, FolderIdQuery } from "../records/listing-query.ts";
import { Email } from "../records/emails.ts";

/** A message in a path or a list (spec 5.2). */
export const MessageId = messageFields.id.annotate({ description: "Id of the message.", examples: [MESSAGE_ID] });

const CHANGE = {
  unread: Schema.optionalKey(Schema.Boolean.annotate({ description: "`true` marks as unread, `false` as read." })),
  flagged: Schema.optionalKey(
    Schema.Boolean.annotate({ description: "`true` sets the flag (star), `false` removes it." }),
  ),
  answered: Schema.optionalKey(
    Schema.Boolean.annotate({ description: "`true` marks as answered, `false` removes the mark." }),
  ),
  addLabels: Schema.optionalKey(
    messageFields.labels.annotate({ description: "Labels to add, compared without case." }),
  ),
  removeLabels: Schema.optionalKey(
    messageFields.labels.annotate({ description: "Labels to remove. A label that the message lacks is ignored." }),
  ),
  folderId: Schema.optionalKey(messageFields.folderId.annotate({ description: "Id of the folder to move to." })),
};

/** Changes of a message; omitted fields stay unchanged. */
export const MessageChange = Schema.Struct(CHANGE).check(messageRules.change).annotate({
  identifier: "MessageChange",
  description: "Changes of a message: at least one. A field that is left out stays as it is.",
});

const NewId = Schema.NullOr(Schema.String).annotate({
  description:
    "Id of the message, which a move does not change; null if the message is deleted, or its new location is unknown.",
});

/** A message after a change. */
export const ChangedMessage = Schema.Struct({
  ...Email.fields,
  id: NewId,
  uid: Schema.NullOr(Schema.Int).annotate({
    description: "IMAP UID of the message in its folder; null if the mail server does not report it.",
  }),
}).annotate({ identifier: "ChangedMessage", description: "A message after a change." });

export const RemovedMessage = Schema.Struct({
  id: Schema.String.annotate({ description: "Id of the message, as in the request." }),
  deleted: Deleted,
  movedTo: Schema.NullOr(Schema.String).annotate({
    description: "Id of the folder that contains the message now; null if it was destroyed.",
  }),
  newId: NewId,
}).annotate({ identifier: "RemovedMessage", description: "A deleted message, and where it is now." });

const BatchQuery = Schema.Struct({
  folder: Schema.optionalKey(queryFields.folder.annotate({ description: CRITERIA.folder })),
  folderId: FolderIdQuery,
  from: Schema.optionalKey(queryFields.from.annotate({ description: CRITERIA.from })),
  to: Schema.optionalKey(queryFields.to.annotate({ description: CRITERIA.to })),
  cc: Schema.optionalKey(queryFields.cc.annotate({ description: CRITERIA.cc })),
  subject: Schema.optionalKey(queryFields.subject.annotate({ description: CRITERIA.subject })),
  messageId: Schema.optionalKey(queryFields.messageId.annotate({ description: CRITERIA.messageId })),
  text: Schema.optionalKey(queryFields.text.annotate({ description: CRITERIA.text })),
  since: Schema.optionalKey(queryFields.since.annotate({ description: CRITERIA.since })),
  before: Schema.optionalKey(queryFields.before.annotate({ description: CRITERIA.before })),
  unread: Schema.optionalKey(Schema.Boolean.annotate({ description: CRITERIA.unread })),
  flagged: Schema.optionalKey(Schema.Boolean.annotate({ description: CRITERIA.flagged })),
  hasAttachments: Schema.optionalKey(Schema.Boolean.annotate({ description: CRITERIA.hasAttachments })),
  label: Schema.optionalKey(queryFields.label.annotate({ description: CRITERIA.label })),
  larger: Schema.optionalKey(queryFields.larger.annotate({ description: CRITERIA.larger })),
  smaller: Schema.optionalKey(queryFields.smaller.annotate({ description: CRITERIA.smaller })),
})
  .check(messageRules.query)
  .annotate({
    identifier: "BatchQuery",
    description: "Criteria of the messages: the newest 1,000 that meet all of them.",
  });

/** A change to many messages, selected by ids or criteria. */
export const MessageBatchRequest = Schema.Struct({
  ids: Schema.optionalKey(
    messageFields.ids.annotate({ description: "Ids of 1 to 1,000 messages. Give `ids` or `query`." }),
  ),
  query: Schema.optionalKey(BatchQuery),
  change: Schema.optionalKey(MessageChange),
  delete: Schema.optionalKey(
    Schema.Literals(["trash", "permanent"]).annotate({
      description: "`trash` moves the messages to Trash; `permanent` destroys them.",
    }),
  ),
})
  .check(messageRules.batch)
  .annotate({
    identifier: "MessageBatchRequest",
    description: "Messages, by `ids` or by `query`, and the action: `change` or `delete`.",
  });

export const MessageBatchResult = Schema.Struct({
  ok: Ok,
  data: Schema.Struct({
    movedTo: Schema.NullOr(Schema.String).annotate({
      description: "Id of the folder that contains the messages now; null if they were not moved.",
    }),
    results: Schema.Array(
      Schema.Struct({
        id: Schema.String.annotate({ description: "Id of the message, as in the request." }),
        ok: Schema.Boolean.annotate({ description: "False if the message was not found." }),
        newId: NewId,
        code: Schema.NullOr(Schema.Literal("message_not_found")).annotate({
          description: "Error code of this message; null if it was changed.",
        }),
      }),
    ).annotate({ description: "One result for each message, in the order of the request." }),
  }).annotate({ description: "The results." }),
}).annotate({ identifier: "MessageBatchResult", description: "The results of a batch." });

const errors = [FolderNotFound, FolderNotSelectable, ...MAIL_SERVER_PROBLEMS] as const;

export const change = HttpApiEndpoint.patch("change", "/:id", {
  params: { id: MessageId },
  payload: MessageChange,
  success: Schema.Struct({ ok: Ok, data: ChangedMessage }),
  error: [MessageNotFound, AgentNotAllowed, LabelInvalid, LabelsNotSupported, ...errors],
}).annotateMerge(
  documented({
    scope: "mail:organize",
    summary: "Change a message's flags, labels or folder",
    description:
      "Sets the flags given, adds and removes labels, and moves the message if `folderId` is given; a field that is left out stays. The message " +
      "keeps its id. A repeat changes nothing.",
    request: { unread: false, folderId: INVOICES },
    answer: {
      ok: true,
      data: { ...EMAIL, uid: 13, folder: "Invoices", folderId: INVOICES, unread: false },
    },
  }),
);

export const remove = HttpApiEndpoint.delete("remove", "/:id", {
  params: { id: MessageId },
  query: {
    permanent: Schema.optionalKey(
      Flag.annotate({ description: "`true` destroys the message instead of moving it to Trash. Default: `false`." }),
    ),
  },
  success: Schema.Struct({ ok: Ok, data: RemovedMessage }),
  error: [MessageNotFound, InsufficientScope, ...errors],
}).annotateMerge(
  documented({
    scope: ["mail:organize", "mail:delete"],
    summary: "Delete a message",
    description:
      "Moves the message to Trash; a message that is there already stays, so a repeat destroys nothing. With " +
      "`permanent=true`, which needs `mail:delete`, the message is destroyed at once, and a repeat gets 404.",
    answer: { ok: true, data: { id: MESSAGE_ID, deleted: true, movedTo: "trash", newId: MESSAGE_ID } },
  }),
);

export const batch = HttpApiEndpoint.post("batch", "/batch", {
  payload: MessageBatchRequest,
  success: MessageBatchResult,
  error: [FolderAmbiguous, InsufficientScope, AgentNotAllowed, LabelInvalid, LabelsNotSupported, ...errors],
}).annotateMerge(
  documented({
    scope: ["mail:organize", "mail:delete"],
    summary: "Change or delete up to 1,000 messages",
    description:
      "Makes one change to the messages named by `ids`, or to the newest 1,000 that meet `query`. The answer has a result " +
      'for each: messages that are not found do not stop the others. `delete: "permanent"` needs `mail:delete`, anything else ' +
      "`mail:organize`. A repeat changes nothing more.",
    request: { ids: [MESSAGE_ID], change: { unread: false } },
    answer: {
      ok: true,
      data: { movedTo: null, results: [{ id: MESSAGE_ID, ok: true, newId: MESSAGE_ID, code: null }] },
    },
  }),
);

/** The labels of an account (spec 5.5). */
export const labels = HttpApiEndpoint.get("labels", "/labels", {
  query: pageQuery,
  success: Schema.Struct({
    ok: Ok,
    data: Schema.Array(
      Schema.Struct({ name: Schema.String.annotate({ description: "Name of the label." }) }).annotate({
        identifier: "Label",
        description: "A label.",
      }),
    ).annotate({ description: "The labels, by name." }),
    nextCursor: NextCursor,
  }),
  error: [InvalidRequest, ...MAIL_SERVER_PROBLEMS],
}).annotateMerge(
  documented({
    scope: "mail:read",
    summary: "List the labels",
    description:
      "Returns the labels that the mail server knows in any folder, each once without case. A server may still " +
      "return a label for a while after the last message lost it.",
    answer: { ok: true, data: [{ name: "Invoices" }], nextCursor: null },
  }),
);
