import { Count, LongId, RecordId } from "@postern/core/rules";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { Authorization } from "../auth/Authorization.ts";
import { documented } from "../document/documented.ts";
import { APPROVAL } from "../examples/approvals.ts";
import { DRAFT, DRAFT_ENTRY, DRAFT_ID, DRAFT_REQUEST } from "../examples/drafts.ts";
import { SEND_RESULT } from "../examples/outgoing.ts";
import { REPEAT_PROBLEMS } from "../problems/creations.ts";
import { DraftChanged, DraftNotFound, IfMatchRequired, StorageExceeded } from "../problems/drafts.ts";
import { MAIL_SERVER_PROBLEMS } from "../problems/mail-server.ts";
import { InvalidRequest, PayloadTooLarge } from "../problems/requests.ts";
import { Deleted, Instant, NextCursor, Ok, pageQuery } from "../records/wire.ts";
import { ApprovalAsked } from "../records/approvals.ts";
import { outgoingFields } from "../records/outgoing-fields.ts";
import { ASK_PROBLEMS, SEND_PROBLEMS, SendResult } from "./SendGroup.ts";
import { CreationKeyHeaders, IfMatchHeaders, SendKeyHeaders } from "../records/preconditions.ts";
import { Address } from "../records/emails.ts";

const DraftId = Schema.String.annotate({
  description: "Id of the draft, which stays the same over all saves.",
  examples: [DRAFT_ID],
});

const Addresses = Schema.Array(Address);

const known = {
  id: DraftId,
  version: Schema.String.annotate({
    description: "Version of the draft, for `If-Match`; also in the header `ETag`.",
    examples: ["3"],
  }),
  state: Schema.Literals(["draft", "sending"]).annotate({
    description: "`sending`: the draft is in the outbox, and cannot be changed until the outcome is known.",
  }),
  reason: Schema.NullOr(
    Schema.Struct({
      reason: Schema.String.annotate({
        description:
          "Code of the reason, such as `recipient_refused`; with `send_outcome_unknown`, the message may " +
          "have been sent.",
      }),
      detail: Schema.String.annotate({ description: "The reason in words." }),
    }),
  ).annotate({
    description: "Why the last attempt to send the draft failed; null before the first attempt, and after " + "a save.",
  }),
  savedAt: Instant.annotate({ description: "Time of the last save." }),
  to: Addresses.annotate({
    description: "Recipients. An entry that is not an address yet has the text as its `address`.",
  }),
  cc: Addresses.annotate({ description: "Recipients of a copy." }),
  subject: Schema.String.annotate({ description: "Subject; empty if there is none." }),
};

/** A draft in the list (spec 12.1). */
export const DraftEntry = Schema.Struct({
  ...known,
  hasAttachments: Schema.Boolean.annotate({ description: "Whether the draft has files." }),
}).annotate({ identifier: "DraftEntry", description: "A draft in the list." });

/** A draft (spec 12.1). */
export const Draft = Schema.Struct({
  ...known,
  from: Schema.NullOr(Schema.Union([Schema.String, Address])).annotate({
    description: "Sender: the id of an identity or an address; null for the default identity.",
  }),
  bcc: Addresses.annotate({ description: "Recipients that others do not see." }),
  replyTo: Addresses.annotate({ description: "Addresses for answers." }),
  text: Schema.NullOr(Schema.String).annotate({ description: "Plain text; null if there is none." }),
  html: Schema.NullOr(Schema.String).annotate({
    description: "HTML; null if there is none. HTML of another client is sanitised, without remote resources.",
  }),
  attachments: Schema.Array(
    Schema.Struct({
      id: Schema.String.annotate({ description: "Id of the upload, which the draft keeps." }),
      name: Schema.String.annotate({ description: "File name." }),
      url: Schema.String.annotate({ description: "`url` of the upload, for `attachments` of a request." }),
      type: Schema.String.annotate({ description: "Media type." }),
      size: Count.annotate({ description: "Size in bytes." }),
      contentId: Schema.NullOr(Schema.String).annotate({
        description: "Content-ID of a picture that the HTML shows; null for other files.",
      }),
    }),
  ).annotate({ description: "The files." }),
  inReplyTo: Schema.NullOr(Schema.String).annotate({ description: "Message-ID in In-Reply-To; null for none." }),
  references: Schema.Array(Schema.String).annotate({ description: "Message-IDs in References." }),
  headers: Schema.Record(Schema.String, Schema.String).annotate({ description: "Further header fields." }),
  trackOpens: Schema.Boolean.annotate({ description: "Whether `email.opened` is raised when the message is opened." }),
  sendAt: Schema.NullOr(Instant).annotate({
    description: "When to send the message, once a request sends the draft; null: at once.",
  }),
  expiresAfter: Schema.NullOr(Schema.String).annotate({
    description: "How long the message may wait to be sent, such as `6h`; null: as long as the service allows.",
  }),
  replyToMessageId: Schema.NullOr(Schema.String).annotate({
    description: "Id of the message that the draft answers; null if it is no answer.",
  }),
  force: Schema.Boolean.annotate({ description: "Whether the draft may answer a message that a program wrote." }),
}).annotate({ identifier: "Draft", description: "A message that is not sent yet." });

export const NewDraft = Schema.Struct(outgoingFields).annotate({
  identifier: "NewDraft",
  description: "A draft to create. All fields are optional.",
});

export const DraftContents = Schema.Struct(outgoingFields).annotate({
  identifier: "DraftContents",
  description: "Contents of a draft. All fields are optional; those that are omitted are empty.",
});

const params = { id: LongId.annotate({ description: "Id of the draft.", examples: [DRAFT_ID] }) };
const One = Schema.Struct({ ok: Ok, data: Draft });
const SAVE_PROBLEMS = [InvalidRequest, PayloadTooLarge, StorageExceeded, ...MAIL_SERVER_PROBLEMS] as const;

const list = HttpApiEndpoint.get("list", "/drafts", {
  query: pageQuery,
  success: Schema.Struct({
    ok: Ok,
    data: Schema.Array(DraftEntry).annotate({ description: "The drafts, newest first." }),
    nextCursor: NextCursor,
  }),
  error: [InvalidRequest, ...MAIL_SERVER_PROBLEMS],
}).annotateMerge(
  documented({
    scope: "mail:draft",
    summary: "List drafts",
    description:
      "Returns the drafts of the account, including those of other mail programs: the newest 200 of the Drafts folder.",
    answer: { ok: true, data: [DRAFT_ENTRY], nextCursor: null },
  }),
);

const create = HttpApiEndpoint.post("create", "/drafts", {
  headers: CreationKeyHeaders,
  payload: [NewDraft, Schema.Null],
  success: One,
  error: [DraftChanged, ...REPEAT_PROBLEMS, ...SAVE_PROBLEMS],
}).annotateMerge(
  documented({
    scope: "mail:draft",
    summary: "Create a draft",
    description:
      "Stores a draft in the Drafts folder, where other mail programs show it too. With `replyToMessageId` or " +
      "`forwardOf`, a missing subject and text are taken from the original. An answer is addressed to the author " +
      "of the original, and the files of a forwarded message are attached. A repeat makes another draft, unless " +
      "both requests have the same `Idempotency-Key`.",
    request: DRAFT_REQUEST,
    answer: { ok: true, data: DRAFT },
  }),
);

const get = HttpApiEndpoint.get("get", "/drafts/:id", {
  params,
  success: One,
  error: [DraftNotFound, DraftChanged, PayloadTooLarge, ...MAIL_SERVER_PROBLEMS],
}).annotateMerge(
  documented({
    scope: "mail:draft",
    summary: "Read a draft",
    description:
      "Returns the draft as it is now. If another mail program changed it, its version is new. A draft that another " +
      "program wrote becomes a draft of Postern with the same id.",
    answer: { ok: true, data: DRAFT },
  }),
);

const save = HttpApiEndpoint.put("save", "/drafts/:id", {
  params,
  headers: {
    "if-match": Schema.optionalKey(
      RecordId.annotate({
        description: "Version of the draft that the request replaces, in plain form or as an entity tag. Required.",
        examples: ["3"],
      }),
    ),
  },
  payload: DraftContents,
  success: One,
  error: [DraftNotFound, DraftChanged, IfMatchRequired, ...SAVE_PROBLEMS],
}).annotateMerge(
  documented({
    scope: "mail:draft",
    summary: "Change a draft",
    description:
      "Replaces the fields of the draft; the answer has the new version. If the draft no longer has the version in " +
      "`If-Match`, for example because another mail program changed it, nothing is saved and the answer is 409 " +
      "`draft_changed`. Each save stores the whole message on the mail server, so save some seconds after the last " +
      "keystroke, not after each keystroke.",
    request: DRAFT_REQUEST,
    answer: { ok: true, data: DRAFT },
  }),
);

const remove = HttpApiEndpoint.delete("remove", "/drafts/:id", {
  params,
  headers: IfMatchHeaders,
  success: Schema.Struct({
    ok: Ok,
    data: Schema.Struct({
      id: DraftId,
      deleted: Deleted,
    }).annotate({ description: "The deleted draft." }),
  }),
  error: [DraftNotFound, DraftChanged, PayloadTooLarge, ...MAIL_SERVER_PROBLEMS],
}).annotateMerge(
  documented({
    scope: "mail:draft",
    summary: "Delete a draft",
    description:
      "Deletes the draft from the Drafts folder. If it is being sent, or no longer has the version in " +
      "`If-Match`, the answer is 409 `draft_changed`.",
    answer: { ok: true, data: { id: DRAFT_ID, deleted: true } },
  }),
);

const send = HttpApiEndpoint.post("send", "/drafts/:id/send", {
  params,
  headers: { ...SendKeyHeaders, ...IfMatchHeaders },
  success: [SendResult, ApprovalAsked],
  error: [DraftNotFound, IfMatchRequired, ...ASK_PROBLEMS, ...SEND_PROBLEMS],
}).annotateMerge(
  documented({
    scope: ["mail:draft", "mail:send"],
    summary: "Send a draft",
    description:
      "Sends the draft as `POST /api/send` does. A repeat sends nothing: it gets the receipt of the first request. " +
      "With `If-Match`, only that version is sent: if the draft was changed since, even by another mail program, " +
      "nothing is sent and the answer is 409 `draft_changed`. The draft leaves the Drafts folder once it is sent; " +
      "if sending fails, it is a draft again, with the reason. A key with a policy or without `mail:send` must " +
      "name the version. If the policy demands an approval, the draft waits for the approval, and the answer is 202.",
    answer: SEND_RESULT,
    accepted: { ok: true, approval: APPROVAL },
  }),
);

/** Messages that are not sent yet (spec 12.1). */
export class DraftsGroup extends HttpApiGroup.make("drafts")
  .add(list)
  .add(create)
  .add(get)
  .add(save)
  .add(remove)
  .add(send)
  .prefix("/api")
  .middleware(Authorization)
  .annotate(OpenApi.Title, "Drafts")
  .annotate(OpenApi.Description, "Keep messages in the Drafts folder until they are sent.") {}
