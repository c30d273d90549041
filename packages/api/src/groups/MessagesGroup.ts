import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api";
import { Authorization } from "../Authorization.ts";
import { MAIL_SERVER_PROBLEMS } from "../problems/mail-server.ts";
import { AttachmentNotFound, MessageNotFound } from "../problems/messages.ts";
import { RangeUnsatisfiable } from "../problems/requests.ts";
import { Count, Ok, textUpTo } from "../wire.ts";
import { Email } from "./InboxGroup.ts";
import { batch, change, remove } from "./message-actions.ts";

export const MessageAttachment = Schema.Struct({
  id: Schema.String,
  name: Schema.NullOr(Schema.String),
  type: Schema.String,
  size: Count.annotate({ description: "Bytes once decoded, reckoned from the encoded size." }),
  inline: Schema.Boolean.annotate({ description: "A picture of the HTML rather than a file." }),
  contentId: Schema.NullOr(Schema.String),
  url: Schema.String.annotate({ description: "Relative to the service; needs the same sign-in." }),
}).annotate({ identifier: "MessageAttachment" });

/** One message, read (spec 5). */
export const Message = Schema.Struct({
  ...Email.fields,
  attachments: Schema.Array(MessageAttachment),
  replyTo: Schema.String.annotate({ description: "The Reply-To field; empty where there is none." }),
  inReplyTo: Schema.NullOr(Schema.String),
  references: Schema.Array(Schema.String).annotate({ description: "Message-IDs, oldest first." }),
  headers: Schema.Array(Schema.Struct({ name: Schema.String, value: Schema.String })).annotate({
    description: "In the order of the message, decoded to Unicode; at most 500.",
  }),
  text: Schema.NullOr(Schema.String).annotate({ description: "Made from the HTML where the message has no text." }),
  html: Schema.NullOr(Schema.String).annotate({
    description:
      "Sanitised: nothing in it runs or fetches, save attachments of this message. Remote pictures are in `data-remote-src`.",
  }),
  blockedRemote: Count.annotate({ description: "Remote things the HTML would have fetched." }),
  truncated: Schema.Boolean.annotate({
    description: "Its texts are longer than what is shown; `raw` has all of them.",
  }),
  parsed: Schema.Boolean.annotate({
    description: "False: it could not be parsed, and `text`, `html` and `headers` are missing; `raw` has all of it.",
  }),
  parseFault: Schema.NullOr(Schema.Literals(["malformed", "too_slow", "crashed", "quarantined", "busy"])).annotate({
    description: "Why not; only `busy` is worth asking again.",
  }),
  rawUrl: Schema.String,
}).annotate({ identifier: "Message" });

export const MessageAnswer = Schema.Struct({ ok: Ok, data: Message }).annotate({ identifier: "MessageAnswer" });

const params = { id: textUpTo(128) };

const Bytes = Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "application/octet-stream" }));

const range = {
  range: Schema.optionalKey(Schema.String.annotate({ description: "One range of bytes (RFC 9110, 14)." })),
  "if-range": Schema.optionalKey(Schema.String),
};

const read = HttpApiEndpoint.get("read", "/:id", {
  params,
  success: MessageAnswer,
  error: [MessageNotFound, ...MAIL_SERVER_PROBLEMS],
}).annotate(OpenApi.Summary, "Read a message; it stays unread");

const raw = HttpApiEndpoint.get("raw", "/:id/raw", {
  params,
  headers: range,
  success: Bytes,
  error: [MessageNotFound, RangeUnsatisfiable, ...MAIL_SERVER_PROBLEMS],
}).annotate(OpenApi.Summary, "Download a message as it came (RFC 5322)");

const attachment = HttpApiEndpoint.get("attachment", "/:id/attachments/:attachmentId", {
  params: { ...params, attachmentId: textUpTo(256) },
  headers: range,
  success: Bytes,
  error: [MessageNotFound, AttachmentNotFound, RangeUnsatisfiable, ...MAIL_SERVER_PROBLEMS],
}).annotate(OpenApi.Summary, "Download an attachment, decoded");

/** Reading messages and acting on them (spec 5). */
export class MessagesGroup extends HttpApiGroup.make("messages")
  .add(read)
  .add(raw)
  .add(attachment)
  .add(change)
  .add(remove)
  .add(batch)
  .prefix("/api/messages")
  .middleware(Authorization)
  .annotate(OpenApi.Description, "Single messages.") {}
