import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { Authorization } from "../Authorization.ts";
import { documented } from "../documented.ts";
import { MESSAGE_ID } from "../examples/mail.ts";
import { OUTGOING_ID, OUTGOING_ITEM, OUTGOING_MAIL, SEND_RESULT } from "../examples/outgoing.ts";
import { SenderNotAllowed } from "../problems/identities.ts";
import { MAIL_SERVER_PROBLEMS, StoreUnavailable } from "../problems/mail-server.ts";
import { InvalidRequest, PayloadTooLarge } from "../problems/requests.ts";
import {
  IdempotencyKeyReused,
  OutgoingNotCancellable,
  OutgoingNotFound,
  RecipientRefused,
  RejectedRecipient,
  SenderBlocked,
  SenderRefused,
  SendInProgress,
  SendOutcomeUnknown,
  SendRateExceeded,
  SendUnconfirmed,
  SmtpAuthRefused,
} from "../problems/send.ts";
import { Count, Instant, NoCursor, Ok, Text, textUpTo, TimeText } from "../wire.ts";

const NamedAddress = Schema.Struct({
  name: Schema.optionalKey(Text.annotate({ description: "Display name." })),
  address: Text.annotate({ description: "E-mail address." }),
}).annotate({ identifier: "NamedAddress", description: "An address as listings have it." });

const Recipients = Schema.Union([Text, NamedAddress, Schema.Array(Schema.Union([Text, NamedAddress]))]);

/** An uploaded file, or a file in the request (spec 2.4). */
export const AttachmentReference = Schema.Struct({
  id: Schema.optionalKey(textUpTo(128).annotate({ description: "Id of the upload. Required without `content`." })),
  content: Schema.optionalKey(
    Text.annotate({
      description:
        "The file as base64, in place of an upload: 5 MiB at most, decoded, over all attachments of a request.",
    }),
  ),
  name: Schema.optionalKey(
    Text.annotate({
      description: "File name for the recipient. Default: that of the upload, `attachment` for a file in `content`.",
    }),
  ),
  url: Schema.optionalKey(
    textUpTo(2048).annotate({ description: "`url` of the upload, checked if given. It is never fetched." }),
  ),
  type: Schema.optionalKey(
    Text.annotate({
      description: "Media type. Default: that of the upload, `application/octet-stream` for a file in `content`.",
    }),
  ),
  size: Schema.optionalKey(Count.annotate({ description: "Size in bytes; ignored." })),
  contentId: Schema.optionalKey(
    Text.annotate({ description: "Content-ID of a picture that the HTML shows as `cid:…`." }),
  ),
}).annotate({ identifier: "AttachmentReference", description: "A file to attach: an upload, or its content." });

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
      description: "Subject; it may be empty. Required but in an answer or a forward, which take it from the original.",
    }),
  ),
  text: Schema.optionalKey(
    Text.annotate({
      description:
        "Plain text. Without it and `html`, an answer or a forward quotes the original; else one is required.",
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
    textUpTo(128).annotate({
      examples: [MESSAGE_ID],
      description: "Id of the message that this one answers: sets In-Reply-To and References, marks it as answered.",
    }),
  ),
  forwardOf: Schema.optionalKey(
    textUpTo(128).annotate({
      description:
        "Id of a message to forward: attaches its files, and those of its pictures that `html` shows as `cid:…`.",
    }),
  ),
  headers: Schema.optionalKey(
    Schema.Record(Schema.String, Text).annotate({
      description: "Further header fields; names begin with `X-`, but not `X-Postern-Draft`.",
    }),
  ),
  trackOpens: Schema.optionalKey(
    Schema.Boolean.annotate({ description: "`true` raises `email.opened` when the HTML is opened. Default: `false`." }),
  ),
  sendAt: Schema.optionalKey(
    TimeText.annotate({
      description: "When to send, within a year. Default, and for a time in the past: now.",
    }),
  ),
};

/** Spec 2.4, 6.2. */
export const OutgoingMail = Schema.Struct(outgoingFields).annotate({
  identifier: "OutgoingMail",
  description: "The message to send. A new one needs `to`, `subject`, and `text` or `html`.",
});

const ProviderMessageId = Schema.NullOr(Schema.String).annotate({
  description: "Message-ID that the mail server gave the message instead, which recipients see; null if it kept ours.",
});

/** Spec 2.4. */
export const SendResult = Schema.Struct({
  ok: Ok,
  messageId: Schema.String.annotate({ description: "Message-ID of the message." }),
  providerMessageId: ProviderMessageId,
  id: Schema.String.annotate({ description: "Id of the message in the outbox." }),
  status: Schema.Literals(["sent", "queued", "scheduled"]).annotate({
    description:
      "`sent`: the mail server accepted the message; `queued`: Postern goes on trying; `scheduled`: it waits for `sendAt`.",
  }),
  rejected: Schema.Array(RejectedRecipient).annotate({
    description: "Recipients refused at the first attempt; those with a status of class 4 are retried.",
  }),
}).annotate({ identifier: "SendResult", description: "The outcome of the first attempt." });

const OutgoingRecipient = Schema.Struct({
  address: Schema.String.annotate({ description: "Address of the recipient." }),
  state: Schema.Literals(["queued", "sending", "sent", "failed", "unknown", "cancelled"]).annotate({
    description:
      "`unknown`: the connection was cut after the message was sent, so it may have arrived; it is not sent again.",
  }),
  status: Schema.NullOr(Schema.String).annotate({
    description: "Enhanced status code (RFC 3463) of the last answer; null before the first.",
  }),
  detail: Schema.NullOr(Schema.String).annotate({
    description: "Last answer of the SMTP server, in its words; null before the first.",
  }),
}).annotate({ identifier: "OutgoingRecipient", description: "A recipient of an outgoing message." });

const Failure = Schema.Struct({
  reason: Schema.String.annotate({ description: "Code of the reason, such as `over_quota`." }),
  detail: Schema.String.annotate({ description: "The reason in words." }),
});

/** A message in the outbox (spec 6). */
export const OutgoingItem = Schema.Struct({
  id: Schema.String.annotate({ description: "Id of the message in the outbox." }),
  messageId: Schema.String.annotate({ description: "Message-ID of the message." }),
  providerMessageId: ProviderMessageId,
  state: Schema.Literals(["scheduled", "queued", "sending", "sent", "failed", "unknown", "cancelled"]).annotate({
    description: "State of the message, derived from its recipients: `sent` if it was sent to at least one.",
  }),
  subject: Schema.String.annotate({ description: "Subject of the message." }),
  to: Schema.Array(Schema.String).annotate({ description: "Addresses in the field To." }),
  cc: Schema.Array(Schema.String).annotate({ description: "Addresses in the field Cc." }),
  recipients: Schema.Array(OutgoingRecipient).annotate({ description: "State of each recipient, bcc included." }),
  createdAt: Instant.annotate({ description: "Time of the request." }),
  sendAt: Schema.NullOr(Instant).annotate({ description: "Time asked for by `sendAt`; null if there was none." }),
  attempts: Count.annotate({ description: "Attempts after which recipients had to wait for a retry." }),
  nextAttemptAt: Schema.NullOr(Instant).annotate({ description: "Time of the next attempt; null if there is none." }),
  failure: Schema.NullOr(Failure).annotate({ description: "Why the message failed; null if it did not." }),
  sentCopy: Schema.Struct({
    state: Schema.Literals(["none", "owed", "kept", "given_up"]).annotate({
      description:
        "`none`: not due yet; `owed`: to be stored; `kept`: stored; `given_up`: Postern stopped trying to store it.",
    }),
    nextAttemptAt: Schema.NullOr(Instant).annotate({ description: "Time of the next attempt; null if there is none." }),
    failure: Schema.NullOr(Failure).annotate({ description: "Why the copy is not stored; null if nothing failed." }),
  }).annotate({ description: "The copy in the Sent folder." }),
}).annotate({ identifier: "OutgoingItem", description: "A message in the outbox." });

const send = HttpApiEndpoint.post("send", "/send", {
  headers: {
    "idempotency-key": Schema.optionalKey(
      textUpTo(256).annotate({
        description:
          "Key of this message, chosen by the client. A repeat within 24 hours gets the first answer and sends nothing.",
        examples: ["6f1c2f0e-receipt-2026-014"],
      }),
    ),
  },
  payload: OutgoingMail,
  success: SendResult,
  error: [
    RecipientRefused,
    InvalidRequest,
    SenderBlocked,
    SenderNotAllowed,
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
}).annotateMerge(
  documented({
    scope: "mail:send",
    summary: "Send a message",
    description:
      "Stores the message in the outbox and tries to send it at once, for at most 15 seconds; if it is not decided by then " +
      "the answer is `queued` and the outcome comes as an event. Temporary failures are retried after 1, 5 and 15 minutes, " +
      "1 hour and 6 hours. A repeat sends another message, unless both have the same `Idempotency-Key`.",
    request: OUTGOING_MAIL,
    answer: SEND_RESULT,
  }),
);

const list = HttpApiEndpoint.get("list", "/outbox", {
  success: Schema.Struct({
    ok: Ok,
    data: Schema.Array(OutgoingItem).annotate({ description: "The messages, newest first." }),
    nextCursor: NoCursor,
  }),
  error: StoreUnavailable,
}).annotateMerge(
  documented({
    scope: "mail:send",
    summary: "List outgoing messages",
    description:
      "Returns the newest 200 messages that the account sent or is sending, with the state of each recipient.",
    answer: { ok: true, data: [OUTGOING_ITEM], nextCursor: null },
  }),
);

const cancel = HttpApiEndpoint.delete("cancel", "/outbox/:id", {
  params: { id: textUpTo(128).annotate({ description: "Id of the message in the outbox.", examples: [OUTGOING_ID] }) },
  success: Schema.Struct({ ok: Ok, data: OutgoingItem }),
  error: [OutgoingNotFound, OutgoingNotCancellable, StoreUnavailable],
}).annotateMerge(
  documented({
    scope: "mail:send",
    summary: "Cancel a message",
    description:
      "Cancels a message that is `queued` or `scheduled`: it is not sent to the recipients that have not received it. For a " +
      "message that is being sent or was sent, the answer is 409.",
    answer: {
      ok: true,
      data: {
        ...OUTGOING_ITEM,
        state: "cancelled",
        recipients: [{ ...OUTGOING_ITEM.recipients[0], state: "cancelled" }],
        nextAttemptAt: null,
      },
    },
  }),
);

/** Sending (spec 6.2). */
export class SendGroup extends HttpApiGroup.make("send")
  .add(send)
  .add(list)
  .add(cancel)
  .prefix("/api")
  .middleware(Authorization)
  .annotate(OpenApi.Title, "Sending")
  .annotate(OpenApi.Description, "Send messages, and follow or cancel them in the outbox.") {}
