import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { Authorization } from "../Authorization.ts";
import { MAIL_SERVER_PROBLEMS, StoreUnavailable } from "../problems/mail-server.ts";
import { InvalidRequest, PayloadTooLarge } from "../problems/requests.ts";
import {
  IdempotencyKeyReused,
  OutgoingNotCancellable,
  OutgoingNotFound,
  RecipientRefused,
  SenderBlocked,
  SenderRefused,
  SendInProgress,
  SendOutcomeUnknown,
  SendRateExceeded,
  SendUnconfirmed,
  SmtpAuthRefused,
} from "../problems/send.ts";
import { Count, Instant, Ok, Text, textUpTo } from "../wire.ts";

const NamedAddress = Schema.Struct({ name: Schema.optionalKey(Text), address: Text }).annotate({
  identifier: "NamedAddress",
  description: "As listings of messages have it.",
});

const Recipients = Schema.Union([Text, NamedAddress, Schema.Array(Schema.Union([Text, NamedAddress]))]).annotate({
  description: "A comma-separated list of mailboxes, an address with its name, or an array of such.",
});

/** An uploaded file (spec 2.4). */
export const AttachmentReference = Schema.Struct({
  id: textUpTo(128),
  name: Schema.optionalKey(Text),
  url: Schema.optionalKey(textUpTo(2048).annotate({ description: "As the upload was answered with; never fetched." })),
  type: Schema.optionalKey(Text),
  size: Schema.optionalKey(Count.annotate({ description: "Bytes." })),
  contentId: Schema.optionalKey(Text.annotate({ description: "For a file the HTML shows as `cid:…`." })),
}).annotate({ identifier: "AttachmentReference" });

/** Spec 2.4, 6.2. */
export const OutgoingMail = Schema.Struct({
  to: Recipients,
  cc: Schema.optionalKey(Recipients),
  bcc: Schema.optionalKey(Recipients),
  replyTo: Schema.optionalKey(Recipients),
  subject: Text,
  text: Schema.optionalKey(Text.annotate({ description: "Needed where there is no html." })),
  html: Schema.optionalKey(Text.annotate({ description: "Needed where there is no text." })),
  attachments: Schema.optionalKey(Schema.Array(AttachmentReference)),
  inReplyTo: Schema.optionalKey(Text.annotate({ description: "Message-ID." })),
  references: Schema.optionalKey(
    Schema.Union([Text, Schema.Array(Text)]).annotate({ description: "Message-IDs, oldest first." }),
  ),
  replyToMessageId: Schema.optionalKey(
    textUpTo(128).annotate({ description: "The message this one answers: sets inReplyTo and references." }),
  ),
  forwardOf: Schema.optionalKey(
    textUpTo(128).annotate({
      description: "The message whose files go with this one, and those of its pictures that `html` shows as `cid:…`.",
    }),
  ),
  headers: Schema.optionalKey(Schema.Record(Schema.String, Text).annotate({ description: "`X-*` only." })),
  trackOpens: Schema.optionalKey(Schema.Boolean),
  sendAt: Schema.optionalKey(
    Text.annotate({ format: "date-time", description: "Within a year; in the past: at once." }),
  ),
}).annotate({ identifier: "OutgoingMail" });

export const RejectedRecipient = Schema.Struct({
  recipient: Schema.String,
  status: Schema.String.annotate({ description: "As in delivery reports (RFC 3463)." }),
  detail: Schema.String,
}).annotate({ identifier: "RejectedRecipient" });

/** Spec 2.4. */
export const SendResult = Schema.Struct({
  ok: Ok,
  messageId: Schema.String,
  id: Schema.String.annotate({ description: "Of the message in the outbox." }),
  status: Schema.Literals(["sent", "queued", "scheduled"]),
  rejected: Schema.Array(RejectedRecipient).annotate({
    description: "Refused at the first attempt; a status of class 4 is tried again.",
  }),
}).annotate({ identifier: "SendResult" });

const OutgoingRecipient = Schema.Struct({
  address: Schema.String,
  state: Schema.Literals(["queued", "sending", "sent", "failed", "unknown", "cancelled"]),
  status: Schema.NullOr(Schema.String),
  detail: Schema.NullOr(Schema.String),
}).annotate({ identifier: "OutgoingRecipient" });

const Failure = Schema.Struct({ reason: Schema.String, detail: Schema.String });

/** A message on its way out (spec 6). */
export const OutgoingItem = Schema.Struct({
  id: Schema.String,
  messageId: Schema.String,
  state: Schema.Literals(["scheduled", "queued", "sending", "sent", "failed", "unknown", "cancelled"]),
  subject: Schema.String,
  to: Schema.Array(Schema.String),
  cc: Schema.Array(Schema.String),
  recipients: Schema.Array(OutgoingRecipient),
  createdAt: Instant,
  sendAt: Schema.NullOr(Instant),
  attempts: Count.annotate({ description: "Attempts that left somebody waiting." }),
  nextAttemptAt: Schema.NullOr(Instant),
  failure: Schema.NullOr(Failure),
  sentCopy: Schema.Struct({
    state: Schema.Literals(["none", "owed", "kept", "given_up"]),
    nextAttemptAt: Schema.NullOr(Instant),
    failure: Schema.NullOr(Failure).annotate({ description: "Why it is not there, such as `over_quota`." }),
  }).annotate({ description: "The copy in the Sent folder." }),
}).annotate({ identifier: "OutgoingItem" });

const send = HttpApiEndpoint.post("send", "/send", {
  headers: {
    "idempotency-key": Schema.optionalKey(
      textUpTo(256).annotate({ description: "Repeats of a request within 24 hours get its answer and send nothing." }),
    ),
  },
  payload: OutgoingMail,
  success: SendResult,
  error: [
    RecipientRefused,
    InvalidRequest,
    SenderBlocked,
    SenderRefused,
    SendInProgress,
    PayloadTooLarge,
    IdempotencyKeyReused,
    SendRateExceeded,
    SendOutcomeUnknown,
    SmtpAuthRefused,
    SendUnconfirmed,
    ...MAIL_SERVER_PROBLEMS,
  ],
}).annotate(OpenApi.Summary, "Send a message");

const list = HttpApiEndpoint.get("list", "/outbox", {
  success: Schema.Struct({ ok: Ok, data: Schema.Array(OutgoingItem), nextCursor: Schema.Null }),
  error: StoreUnavailable,
}).annotate(OpenApi.Summary, "List outgoing messages, newest first, at most 200");

const cancel = HttpApiEndpoint.delete("cancel", "/outbox/:id", {
  params: { id: textUpTo(128) },
  success: Schema.Struct({ ok: Ok, data: OutgoingItem }),
  error: [OutgoingNotFound, OutgoingNotCancellable, StoreUnavailable],
}).annotate(OpenApi.Summary, "Take a message back while it is queued or scheduled");

/** Sending (spec 6.2). */
export class SendGroup extends HttpApiGroup.make("send")
  .add(send)
  .add(list)
  .add(cancel)
  .prefix("/api")
  .middleware(Authorization)
  .annotate(OpenApi.Description, "Sending messages, and those on their way.") {}
