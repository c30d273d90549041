import { Count } from "@postern/core/rules";
import { Schema } from "effect";
import { Instant } from "./wire.ts";

export const Address = Schema.Struct({
  name: Schema.String.annotate({ description: "Display name; empty if there is none." }),
  address: Schema.String.annotate({ description: "E-mail address." }),
}).annotate({ identifier: "Address", description: "An address with its display name." });

export const AttachmentSummary = Schema.Struct({
  id: Schema.String.annotate({ description: "Id of the attachment, within its message." }),
  name: Schema.NullOr(Schema.String).annotate({ description: "File name; null if there is none." }),
  type: Schema.String.annotate({ description: "Media type, as the sender declared it." }),
  size: Count.annotate({ description: "Decoded size in bytes, estimated from the encoded size." }),
}).annotate({ identifier: "AttachmentSummary", description: "An attachment in a listing." });

/** One message of a listing (spec 5). */
export const Email = Schema.Struct({
  id: Schema.String.annotate({
    description:
      "Opaque id of the message, valid for this account only. It stays the same when this service moves the message.",
  }),
  uid: Schema.Int.annotate({ description: "IMAP UID of the message in its folder." }),
  folder: Schema.String.annotate({ description: "Path of the folder that contains the message." }),
  folderId: Schema.String.annotate({ description: "Id of the folder that contains the message." }),
  messageId: Schema.NullOr(Schema.String).annotate({ description: "Message-ID field; null if there is none." }),
  threadId: Schema.NullOr(Schema.String).annotate({
    description:
      "Id of the conversation: from the mail server, or else derived from References, In-Reply-To or " +
      "Message-ID; null if the message has none of them. All messages of a conversation have the same id, " +
      "except for an answer to an answer without References: its id is derived from the message that it " +
      "answers.",
  }),
  subject: Schema.String.annotate({ description: "Subject, decoded; empty if there is none." }),
  from: Schema.String.annotate({ description: "Address of the sender; empty if there is none." }),
  fromName: Schema.String.annotate({ description: "Display name of the sender; empty if there is none." }),
  to: Schema.Array(Address).annotate({ description: "Recipients in the field To, the first 200." }),
  cc: Schema.Array(Address).annotate({ description: "Recipients in the field Cc, the first 200." }),
  toCount: Count.annotate({ description: "Number of all recipients in the field To." }),
  ccCount: Count.annotate({ description: "Number of all recipients in the field Cc." }),
  truncated: Schema.Boolean.annotate({
    description: "True if `to` or `cc` lacks recipients of its field, or `attachments` has only the first 1,000.",
  }),
  date: Instant.annotate({ description: "Time of arrival." }),
  sentAt: Schema.NullOr(Instant).annotate({ description: "Date field, as the sender wrote it; null if unreadable." }),
  unread: Schema.Boolean.annotate({ description: "True until the message is marked as read." }),
  flagged: Schema.Boolean.annotate({ description: "True if the message is flagged (starred)." }),
  answered: Schema.Boolean.annotate({ description: "True if the message is marked as answered." }),
  draft: Schema.Boolean.annotate({ description: "True if the message is a draft." }),
  labels: Schema.Array(Schema.String).annotate({
    description: "Labels: IMAP keywords that are not flags, and Gmail labels that are not Gmail's own.",
  }),
  size: Count.annotate({ description: "Size of the whole message in bytes, as stored." }),
  hasAttachments: Schema.Boolean.annotate({ description: "True if the message has attachments." }),
  attachments: Schema.Array(AttachmentSummary).annotate({ description: "The attachments of the message." }),
  preview: Schema.NullOr(Schema.String).annotate({
    description:
      "The beginning of the sender's text, at most 200 characters, in listings and searches. Null elsewhere, if " +
      "the message has no text, or if its text could not be read within 300 ms; a later listing has it.",
  }),
}).annotate({ identifier: "Email", description: "A message in a listing." });
