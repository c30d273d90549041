import { Count, outboxRules } from "@postern/core/rules";
import { Schema } from "effect";
import { Instant } from "./wire.ts";

export const ProviderMessageId = Schema.NullOr(Schema.String).annotate({
  description: "Message-ID that recipients see if the mail server replaced Postern's; null if it did not.",
});

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
    description: "Last answer of the SMTP server, verbatim; null before the first.",
  }),
}).annotate({ identifier: "OutgoingRecipient", description: "A recipient of an outgoing message." });

const Failure = Schema.Struct({
  reason: Schema.String.annotate({ description: "Code of the reason, such as `over_quota`." }),
  detail: Schema.String.annotate({ description: "The reason in words." }),
});

const Id = Schema.String.annotate({ description: "Id of the message in the outbox." });
const MessageId = Schema.String.annotate({ description: "Message-ID of the message." });
const Recipients = Schema.Array(OutgoingRecipient).annotate({ description: "State of each recipient, bcc included." });
const CreatedAt = Instant.annotate({ description: "Time of the request." });
const SendAt = Schema.NullOr(Instant).annotate({
  description: "Time in `sendAt` of the request; null if there was none.",
});
const Attempts = Count.annotate({ description: "Attempts after which recipients had to wait for a retry." });
const NextAttemptAt = Schema.NullOr(Instant).annotate({
  description: "Time of the next attempt; null if there is none.",
});
const MessageFailure = Schema.NullOr(Failure).annotate({
  description: "Why the message failed; null if it did not.",
});

const State = outboxRules.fields.state.annotate({
  description:
    "State of the message, derived from its recipients: `sent` if it was sent to at least one. `held`: the key that " +
    "requested the message was deleted, or the operator holds the message; it waits to be released, and is " +
    "cancelled after 30 days.",
});

const Key = Schema.NullOr(Schema.String).annotate({
  description: "Id of the service key that requested the message; null for a person and for the operator.",
});
const Application = Schema.NullOr(Schema.String).annotate({
  description: "Application of that key; null without one.",
});

/** A message in the outbox (spec 6). */
export const OutgoingItem = Schema.Struct({
  id: Id,
  messageId: MessageId,
  providerMessageId: ProviderMessageId,
  state: State,
  key: Key,
  application: Application,
  subject: Schema.String.annotate({ description: "Subject of the message." }),
  to: Schema.Array(Schema.String).annotate({ description: "Addresses in the field To." }),
  cc: Schema.Array(Schema.String).annotate({ description: "Addresses in the field Cc." }),
  recipients: Recipients,
  createdAt: CreatedAt,
  sendAt: SendAt,
  attempts: Attempts,
  nextAttemptAt: NextAttemptAt,
  failure: MessageFailure,
  sentCopy: Schema.Struct({
    state: Schema.Literals(["none", "owed", "kept", "given_up"]).annotate({
      description:
        "`none`: not due yet; `owed`: to be stored; `kept`: stored; `given_up`: Postern stopped trying to store it.",
    }),
    nextAttemptAt: NextAttemptAt,
    failure: Schema.NullOr(Failure).annotate({ description: "Why the copy is not stored; null if nothing failed." }),
  }).annotate({ description: "The copy in the Sent folder." }),
}).annotate({ identifier: "OutgoingItem", description: "A message in the outbox." });

/** A message in the operator's outbox: its envelope, without its contents (spec 6.7). */
export const OperatorOutgoingItem = Schema.Struct({
  id: Id,
  messageId: MessageId,
  account: Schema.Struct({
    id: Schema.String.annotate({ description: "Id of the account." }),
    email: Schema.String.annotate({ description: "Address of the account." }),
  }).annotate({ description: "The account that sends the message." }),
  key: Key,
  application: Application,
  state: State,
  heldAt: Schema.NullOr(Instant).annotate({
    description: "Time since which the message is held; null if it is not held.",
  }),
  heldBy: Schema.NullOr(Schema.Literals(["key_deleted", "operator", "suspension"])).annotate({
    description:
      "Why the message is held: its key was deleted, the operator holds it, or its application is suspended; " +
      "null if it is not held.",
  }),
  from: Schema.String.annotate({ description: "Sender of the envelope." }),
  recipients: Recipients,
  createdAt: CreatedAt,
  sendAt: SendAt,
  attempts: Attempts,
  nextAttemptAt: NextAttemptAt,
  failure: MessageFailure,
}).annotate({
  identifier: "OperatorOutgoingItem",
  description: "A message in the outbox of the operator: its envelope, without its subject and contents.",
});
