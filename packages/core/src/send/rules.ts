import { Schema } from "effect";
import { AddressText, charsUpTo, Count, RecordId, Text, textUpTo, TimeText } from "../shared/rules.ts";

const NamedAddress = Schema.Struct({ name: Schema.optional(Text), address: Text });
const Recipients = Schema.Union([Text, NamedAddress, Schema.Array(Schema.Union([Text, NamedAddress]))]);

/** What the fields of an attachment may be (spec 2.4); `readSendRequest` has the rules of mail. */
export const attachmentFields = {
  id: RecordId,
  content: Text,
  name: Text,
  url: textUpTo(2048),
  type: Text,
  contentId: Text,
  size: Count,
};

const Attachment = Schema.Struct({
  id: Schema.optional(attachmentFields.id),
  content: Schema.optional(attachmentFields.content),
  name: Schema.optional(attachmentFields.name),
  url: Schema.optional(attachmentFields.url),
  type: Schema.optional(attachmentFields.type),
  contentId: Schema.optional(attachmentFields.contentId),
  size: Schema.optional(attachmentFields.size),
});

/** What the fields of a message to send, or of a draft, may be (spec 6.2). */
export const sendFields = {
  from: Schema.Union([Text, NamedAddress]),
  to: Recipients,
  cc: Recipients,
  bcc: Recipients,
  replyTo: Recipients,
  subject: Text,
  text: Text,
  html: Text,
  attachments: Schema.Array(Attachment),
  inReplyTo: Text,
  references: Schema.Union([Text, Schema.Array(Text)]),
  replyToMessageId: RecordId,
  forwardOf: RecordId,
  headers: Schema.Record(Schema.String, Text),
  unsubscribe: Schema.Struct({ url: textUpTo(1000) }),
  sendAt: TimeText,
};

const Signature = Text.check(charsUpTo(65_536));

/** What an identity may be (spec 12.2); its name and addresses are parsed as those of a message. */
export const identityFields = {
  id: RecordId,
  address: AddressText,
  name: Text,
  replyTo: Schema.NullOr(Text),
  signatureText: Signature,
  signatureHtml: Signature,
};
