import { sendFields, Text } from "@postern/core/rules";
import { Schema } from "effect";
import { MESSAGE_ID } from "../examples/mail.ts";
import { AttachmentReference } from "./attachment-reference.ts";

const NamedAddress = Schema.Struct({
  name: Schema.optionalKey(Text.annotate({ description: "Display name." })),
  address: Text.annotate({ description: "E-mail address." }),
}).annotate({ identifier: "NamedAddress", description: "An address in the form of listings." });

const Recipients = Schema.Union([Text, NamedAddress, Schema.Array(Schema.Union([Text, NamedAddress]))]);

const flag = (description: string) => Schema.optionalKey(Schema.Boolean.annotate({ description }));

/** The fields of a message to send or of a draft. */
export const outgoingFields = {
  from: Schema.optionalKey(
    Schema.Union([Text, NamedAddress]).annotate({
      description:
        "Sender: the id of an identity, or its address with or without a name. Default: the default identity.",
    }),
  ),
  to: Schema.optionalKey(
    Recipients.annotate({
      description:
        "Recipients: a comma-separated list, an address with a name, or an array. At most 100 with cc and bcc. " +
        "Required unless `replyToMessageId` is given: an answer goes to the author by default.",
    }),
  ),
  cc: Schema.optionalKey(Recipients.annotate({ description: "Recipients of a copy, in the forms of `to`." })),
  bcc: Schema.optionalKey(
    Recipients.annotate({ description: "Recipients that others do not see, in the forms of `to`." }),
  ),
  replyTo: Schema.optionalKey(Recipients.annotate({ description: "Addresses for replies, in the forms of `to`." })),
  subject: Schema.optionalKey(
    Text.annotate({
      description:
        "Subject; it may be empty. Required except in an answer or a forward, which take it from the original.",
    }),
  ),
  text: Schema.optionalKey(
    Text.annotate({
      description:
        "Plain text. Without `text` and `html`, an answer or a forward quotes the original; any other message needs one of them.",
    }),
  ),
  html: Schema.optionalKey(Text.annotate({ description: "HTML. Required without `text`." })),
  attachments: Schema.optionalKey(
    Schema.Array(AttachmentReference).annotate({ description: "Files to attach: at most 20, 25 MiB each." }),
  ),
  inReplyTo: Schema.optionalKey(Text.annotate({ description: "Message-ID for the field In-Reply-To." })),
  references: Schema.optionalKey(
    Schema.Union([Text, Schema.Array(Text)]).annotate({
      description: "Message-IDs for the field References, oldest first.",
    }),
  ),
  replyToMessageId: Schema.optionalKey(
    sendFields.replyToMessageId.annotate({
      examples: [MESSAGE_ID],
      description: "Id of the message to answer: sets In-Reply-To and References, and marks that message as answered.",
    }),
  ),
  forwardOf: Schema.optionalKey(
    sendFields.forwardOf.annotate({
      description:
        "Id of a message to forward. Its files are attached, except for pictures that `html` does not show as `cid:…`.",
    }),
  ),
  headers: Schema.optionalKey(
    Schema.Record(Schema.String, Text).annotate({
      description:
        "Further header fields: `Auto-Submitted`, `Precedence`, `Feedback-ID`, `Importance`, and names that begin with " +
        "`List-` or `X-`, but not `X-Postern-Draft`.",
    }),
  ),
  unsubscribe: Schema.optionalKey(
    Schema.Struct({
      url: sendFields.unsubscribe.fields.url.annotate({
        description: "The https address of a page on which a recipient unsubscribes.",
      }),
      oneClick: flag("`true`: a POST to `url` unsubscribes without a question (RFC 8058). Default: `false`."),
    }).annotate({
      identifier: "Unsubscribe",
      description: "Writes `List-Unsubscribe`, and with `oneClick` also `List-Unsubscribe-Post`.",
    }),
  ),
  force: flag(
    "`true` allows an answer to a message that a program wrote, which is otherwise refused with 422 `automatic_message`. " +
      "Default: `false`.",
  ),
  trackOpens: flag("`true` raises `email.opened` when the HTML is opened. Default: `false`."),
  sendAt: Schema.optionalKey(
    sendFields.sendAt.annotate({
      description: "When to send, within a year. Default, and for a time in the past: now.",
    }),
  ),
  expiresAfter: Schema.optionalKey(
    sendFields.expiresAfter.annotate({
      description:
        "How long the message may wait to be sent, such as `30m`, `6h` or `2d`; then it is `failed`. At most, and by default, " +
        "`SEND_EXPIRES_AFTER` of the service.",
    }),
  ),
};
