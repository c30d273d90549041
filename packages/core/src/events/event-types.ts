import { Schema } from "effect";
import { APPROVAL_EVENTS } from "./approval-events.ts";

const Text = Schema.String;
const Addresses = Schema.Array(Schema.String);
const Placed = { id: Text, uid: Schema.Int, folder: Text };
/** True if a text or list was cut to its bound (spec 7); otherwise absent. */
const Truncated = Schema.optionalKey(Schema.Literal(true));
/** True if the event stands for a move, for a reader that does not receive the move itself; otherwise absent. */
const Moved = Schema.optionalKey(Schema.Literal(true));
const Enveloped = { from: Text, to: Addresses, toCount: Schema.Int, subject: Text };

const RECEIVED = {
  ...Placed,
  ...Enveloped,
  messageId: Schema.NullOr(Text),
  fromName: Text,
  date: Text,
  size: Schema.Int,
  hasAttachments: Schema.Boolean,
  /** Absent in events from releases without this field. */
  unread: Schema.optionalKey(Schema.Boolean),
  /** True if the message was in the inbox before and returned to it; otherwise absent. */
  returned: Schema.optionalKey(Schema.Literal(true)),
  /** True if the message arrived while no process followed the account; otherwise absent. */
  backfill: Schema.optionalKey(Schema.Literal(true)),
  /** Whether a program wrote the message; absent in events from releases without this field. */
  automatic: Schema.optionalKey(Schema.Boolean),
  truncated: Truncated,
};
const Received = Schema.Struct({ ...RECEIVED, moved: Moved });

/** The id of the sent message in the outbox; absent in events from releases without this field. */
const OutboxId = Schema.optionalKey(Text);
const OfOutbox = { outboxId: OutboxId, messageId: Text };

const Sent = Schema.Struct({
  outboxId: OutboxId,
  /** `mailbox` if another program filed the message in the folder Sent, at the location `id`, `uid` and `folder`. Otherwise absent. */
  source: Schema.optionalKey(Schema.Literal("mailbox")),
  id: Schema.optionalKey(Text),
  uid: Schema.optionalKey(Schema.Int),
  folder: Schema.optionalKey(Text),
  messageId: Text,
  /** The Message-ID that recipients see, if the mail server replaced ours. */
  providerMessageId: Schema.optionalKey(Text),
  ...Enveloped,
  cc: Addresses,
  ccCount: Schema.Int,
  truncated: Truncated,
});

const bounce = <const Type extends "permanent" | "transient">(type: Type) =>
  Schema.Struct({
    ...OfOutbox,
    recipient: Text,
    type: Schema.Literal(type),
    status: Schema.NullOr(Text),
    diagnosticCode: Schema.NullOr(Text),
    reportingMta: Schema.NullOr(Text),
    source: Schema.Literals(["smtp", "dsn"]),
    subject: Text,
    truncated: Truncated,
  });

const Opened = Schema.Struct({
  ...OfOutbox,
  /** The recipient; null if the message had several recipients, because they share the tracking image. */
  recipient: Schema.NullOr(Text),
  openedAt: Text,
  count: Schema.Int,
  first: Schema.Boolean,
  userAgent: Schema.NullOr(Text),
  classification: Schema.Literals(["human", "proxy", "prefetch", "scanner"]),
  truncated: Truncated,
});

const ServerAddress = Schema.Struct({ host: Text, port: Schema.Int });

const OfAccount = Schema.Struct({ email: Text, truncated: Truncated });
const ACCOUNT_SAMPLE = { email: "demo@postern.test" };

const FolderData = Schema.Struct({ id: Text, name: Text, path: Text, truncated: Truncated });

const SENT = { outboxId: "out_6Ja34Dr7XnZ1G-uuezwBXw", messageId: "<out_6Ja34Dr7XnZ1G-uuezwBXw@postern.test>" };
const BOUNCED = {
  ...SENT,
  recipient: "nobody@example.com",
  status: "5.1.1",
  diagnosticCode: "550 5.1.1 no such user",
  reportingMta: "mx.example.com",
  source: "smtp",
  subject: "Hello",
} as const;
const IN_INBOX = { id: "T54ZJTRAIC0P18guRUVOeg", uid: 4711, folder: "INBOX" };
const RECEIVED_SAMPLE = {
  ...IN_INBOX,
  from: "friend@example.com",
  subject: "Lunch?",
  messageId: "<a1@example.com>",
  fromName: "A Friend",
  to: ["demo@postern.test"],
  toCount: 1,
  date: "2026-01-02T03:04:05.000Z",
  size: 2048,
  hasAttachments: false,
  unread: true,
  automatic: false,
};
const FLAGGED = { ...IN_INBOX, unread: false, flagged: true, answered: false };
const RENAMED = { name: "Bills", path: "Bills" };
const FOLDER = { id: "f_mq6jppn6ewjunmnxfcpz", name: "Invoices", path: "Invoices" };

const kind = <S extends Schema.Top>(meaning: string, data: S, sample: NoInfer<S["Type"]>) => ({
  meaning,
  data,
  sample,
});

/** Every event type with its meaning, the schema of its `data` and a sample (spec 7.2). */
export const EVENT_TYPES = {
  "email.received": kind("A new message arrived.", Received, RECEIVED_SAMPLE),
  "email.sent": kind("A message was accepted by the mail server for at least one recipient.", Sent, {
    ...SENT,
    from: "demo@postern.test",
    to: ["friend@example.com"],
    toCount: 1,
    cc: [],
    ccCount: 0,
    subject: "Hello",
  }),
  "email.bounced": kind("Delivery to a recipient failed permanently.", bounce("permanent"), {
    ...BOUNCED,
    type: "permanent",
  }),
  "email.delayed": kind("Delivery to a recipient is late and continues.", bounce("transient"), {
    ...BOUNCED,
    type: "transient",
    status: "4.4.1",
    diagnosticCode: "421 4.4.1 connection timed out",
    source: "dsn",
  }),
  "email.opened": kind("A recipient opened a message sent with trackOpens.", Opened, {
    ...SENT,
    recipient: "friend@example.com",
    openedAt: "2026-01-02T03:04:05.000Z",
    count: 1,
    first: true,
    userAgent: "Mozilla/5.0",
    classification: "human",
  }),
  "email.failed": kind(
    "A message was not sent, or it is not known whether it was (state unknown).",
    Schema.Struct({ ...OfOutbox, state: Schema.Literals(["failed", "unknown"]), reason: Text, truncated: Truncated }),
    { ...SENT, state: "unknown", reason: "The connection was cut after the last byte." },
  ),
  "email.complained": kind(
    "A recipient reported a message as spam.",
    Schema.Struct({ ...OfOutbox, recipient: Text, feedbackType: Text, truncated: Truncated }),
    { ...SENT, recipient: "friend@example.com", feedbackType: "abuse" },
  ),
  "email.moved": kind(
    "A message moved to another folder; its id stays. Only in accounts that follow all folders.",
    Schema.Struct({ ...RECEIVED, fromFolder: Text }),
    { ...RECEIVED_SAMPLE, folder: "Projects", fromFolder: "INBOX" },
  ),
  "email.deleted": kind(
    "A message left its folder: it was deleted, or moved to a folder that the receiver does not follow.",
    Schema.Struct({ ...Placed, moved: Moved, truncated: Truncated }),
    IN_INBOX,
  ),
  "draft.changed": kind(
    "A draft was saved or removed. Only in accounts that follow all folders.",
    Schema.Struct({
      ...Placed,
      messageId: Schema.NullOr(Text),
      subject: Text,
      /** True if the draft was removed without a replacement; otherwise absent. */
      removed: Schema.optionalKey(Schema.Literal(true)),
      truncated: Truncated,
    }),
    { id: "T54ZJTRAIC0P18guRUVOeg", uid: 12, folder: "Drafts", messageId: "<d1@postern.test>", subject: "Hello" },
  ),
  ...APPROVAL_EVENTS,
  "email.flags_changed": kind(
    "A message was marked as read, flagged, answered or labelled, or a mark was removed.",
    Schema.Struct({
      ...Placed,
      unread: Schema.Boolean,
      flagged: Schema.Boolean,
      answered: Schema.Boolean,
      labels: Schema.optionalKey(Schema.Array(Text)), // Both are absent in events from before them.
      changed: Schema.optionalKey(Schema.Array(Text)),
      truncated: Truncated,
    }),
    { ...FLAGGED, labels: ["Work"], changed: ["flagged", "label:Work"] },
  ),
  "folder.created": kind("A folder was created.", FolderData, FOLDER),
  "folder.renamed": kind("A folder was renamed or moved; its id stays.", FolderData, { ...FOLDER, ...RENAMED }),
  "folder.deleted": kind("A folder was deleted.", FolderData, FOLDER),
  "folder.delete_failed": kind(
    "A folder could not be deleted for 24 hours and was restored.",
    Schema.Struct({ id: Text, name: Text, path: Text, reason: Text, truncated: Truncated }),
    { ...FOLDER, reason: "NOPERM: the mail server does not allow it" },
  ),
  "account.auth_failed": kind(
    "The mail server no longer accepts the password or token of the account, or the credential was erased after the last session.",
    Schema.Struct({ email: Text, reason: Schema.Struct({ code: Text, message: Text }), truncated: Truncated }),
    {
      email: "demo@postern.test",
      reason: {
        code: "auth_refused",
        message:
          "The server refused the user name or the password. Check both, and whether the provider wants an app password.",
      },
    },
  ),
  "account.added": kind("An account is managed from now on.", OfAccount, ACCOUNT_SAMPLE),
  "account.removed": kind("An account was removed.", OfAccount, ACCOUNT_SAMPLE),
  "account.recovered": kind("The mail server accepts the account's credential again.", OfAccount, ACCOUNT_SAMPLE),
  "account.servers_changed": kind(
    "The account moved to other mail servers.",
    Schema.Struct({ ...OfAccount.fields, imap: ServerAddress, smtp: ServerAddress }),
    {
      ...ACCOUNT_SAMPLE,
      imap: { host: "imap.example.com", port: 993 },
      smtp: { host: "smtp.example.com", port: 465 },
    },
  ),
  "webhook.disabled": kind(
    "An endpoint was disabled: its deliveries are held until it is enabled and they are replayed.",
    Schema.Struct({ endpointId: Text, reason: Schema.Literals(["owner", "exhausted"]) }),
    { endpointId: "we_hyexz0RipaUWL3hN", reason: "exhausted" },
  ),
  "webhook.test": kind("A test of the endpoint was requested.", Schema.Struct({ endpointId: Text }), {
    endpointId: "we_hyexz0RipaUWL3hN",
  }),
} as const;

export type EventType = keyof typeof EVENT_TYPES;

/** The `data` of an event of this type. */
export type EventData<Type extends EventType> = (typeof EVENT_TYPES)[Type]["data"]["Type"];

export const EVENT_TYPE_NAMES = Object.keys(EVENT_TYPES) as unknown as readonly [
  EventType,
  ...ReadonlyArray<EventType>,
];

export const isEventType = (text: string): text is EventType => Object.hasOwn(EVENT_TYPES, text);
