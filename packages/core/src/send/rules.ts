import { Schema } from "effect";
import {
  AddressText,
  charsUpTo,
  Count,
  pageFields,
  RecordId,
  rule,
  Text,
  textUpTo,
  TimeText,
} from "../shared/rules.ts";

const MILLIS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses a positive duration in the notation of settings, such as `6h`; returns milliseconds, undefined for other text. */
export const millisIn = (text: string): number | undefined => {
  const [, digits, unit] = /^([1-9]\d{0,8})(ms|s|m|h|d)$/.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits) * MILLIS[unit as keyof typeof MILLIS];
};

export const NO_DURATION = "must be a duration such as 30m, 6h or 2d";

const NamedAddress = Schema.Struct({ name: Schema.optional(Text), address: Text });
const Recipients = Schema.Union([Text, NamedAddress, Schema.Array(Schema.Union([Text, NamedAddress]))]);

/** The rules of the fields of an attachment (spec 2.4); `readSendRequest` has the rules of e-mail formats. */
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

/** The rules of the fields of a message to send, or of a draft (spec 6.2). */
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
  expiresAfter: Text.check(rule((text) => (millisIn(text) === undefined ? NO_DURATION : undefined))),
};

const Signature = Text.check(charsUpTo(65_536));

/** The states of an outgoing message (spec 6.3). */
export const OUTGOING_STATES = [
  "scheduled",
  "queued",
  "held",
  "sending",
  "sent",
  "failed",
  "unknown",
  "cancelled",
] as const;

const outboxFields = {
  state: Schema.Literals(OUTGOING_STATES),
  messageId: textUpTo(1000),
  key: RecordId,
  application: RecordId,
  account: AddressText,
};

/** The rules of the filters of outgoing messages (spec 6.6, 6.7): for a listing, and for a change of all matches. */
export const outboxRules = {
  fields: outboxFields,
  chosen: rule((chosen: object) =>
    Object.values(chosen).some((value) => value !== undefined)
      ? undefined
      : { path: ["application"], issue: "is required, or key, account or state" },
  ),
};

/** The rules of an answer to an invitation (spec 5.8). */
export const invitationFields = {
  answer: Schema.Literals(["accept", "tentative", "decline"]),
  comment: textUpTo(1_000),
};

/** The rules of a search for contacts, and of a contact's id (spec 12.5). */
export const contactFields = {
  id: RecordId,
  query: textUpTo(200),
  ...pageFields,
};

/** The rules of the fields of an identity (spec 12.2). Its name and addresses are parsed like the addresses of a message. */
export const identityFields = {
  id: RecordId,
  address: AddressText,
  name: Text,
  replyTo: Schema.NullOr(Text),
  signatureText: Signature,
  signatureHtml: Signature,
};
