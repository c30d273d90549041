import { Count, feedFields, messageFields, searchFields } from "@postern/core/rules";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { Authorization } from "../auth/Authorization.ts";
import { documented } from "../document/documented.ts";
import { Bytes, rangeHeaders } from "../records/downloads.ts";
import { MESSAGE, RAW_MESSAGE } from "../examples/mail.ts";
import { FolderAmbiguous, FolderNotFound, FolderNotSelectable } from "../problems/folders.ts";
import { MAIL_SERVER_PROBLEMS } from "../problems/mail-server.ts";
import { AttachmentNotFound, MessageNotFound } from "../problems/messages.ts";
import { RangeUnsatisfiable } from "../problems/requests.ts";
import { FeedExpired } from "../problems/webhooks.ts";
import { Ok } from "../records/wire.ts";
import { AttachmentSummary, Email } from "../records/emails.ts";
import { Invitation } from "../records/invitations.ts";
import { UnsubscribeWay } from "../records/unsubscribe-way.ts";
import { listAccount } from "./InboxGroup.ts";
import { batch, change, MessageId, remove } from "./message-actions.ts";

export const MessageAttachment = Schema.Struct({
  ...AttachmentSummary.fields,
  inline: Schema.Boolean.annotate({ description: "True for a picture that the HTML shows." }),
  contentId: Schema.NullOr(Schema.String).annotate({ description: "Content-ID field; null if there is none." }),
  url: Schema.String.annotate({ description: "Path of the download, on this service and with the same credential." }),
}).annotate({ identifier: "MessageAttachment", description: "An attachment of a message." });

const AuthResult = Schema.NullOr(Schema.String).annotate({
  description: "Result such as `pass`, `fail` or `none` (RFC 8601, 2.7); null if the server does not say.",
});

/** A message with its content (spec 5). */
export const Message = Schema.Struct({
  ...Email.fields,
  attachments: Schema.Array(MessageAttachment).annotate({
    description: "All parts of the message that are not read as text.",
  }),
  automatic: Schema.Boolean.annotate({
    description:
      "Whether a program wrote the message, such as an out-of-office reply or a bulk mailing: a program must not " +
      "answer it.",
  }),
  replyTo: Schema.String.annotate({ description: "Reply-To field; empty if there is none." }),
  inReplyTo: Schema.NullOr(Schema.String).annotate({
    description: "Message-ID of the message that this one answers; null if there is none.",
  }),
  references: Schema.Array(Schema.String).annotate({ description: "Message-IDs of the conversation, oldest first." }),
  headers: Schema.Array(
    Schema.Struct({
      name: Schema.String.annotate({ description: "Name of the header field, as written." }),
      value: Schema.String.annotate({ description: "Value of the header field, decoded to Unicode." }),
    }),
  ).annotate({ description: "Header fields in the order of the message, at most 500." }),
  text: Schema.NullOr(Schema.String).annotate({
    description: "Plain text, made from the HTML if the message has none; null without either.",
  }),
  newText: Schema.NullOr(Schema.String).annotate({
    description:
      "`text` without quoted history and signature. Answers within quoted text are kept; if it is not certain what " +
      "is quoted, nothing is cut. Null without a text.",
  }),
  quotedText: Schema.NullOr(Schema.String).annotate({
    description: "The quoted history, which `newText` leaves out; empty if there is none, null without a text.",
  }),
  html: Schema.NullOr(Schema.String).annotate({
    description:
      "Sanitised HTML: nothing in it runs, and it loads nothing but attachments of this message. The addresses of " +
      "remote pictures are in `data-remote-src`. Null if the message has no HTML.",
  }),
  authentication: Schema.NullOr(
    Schema.Struct({
      spf: AuthResult,
      dkim: AuthResult,
      dmarc: AuthResult,
      source: Schema.String.annotate({ description: "Name of the mail server that reports these results." }),
    }),
  ).annotate({
    description:
      "Results in the topmost Authentication-Results (RFC 8601), which the receiving mail server adds; null if there is none.",
  }),
  unsubscribe: Schema.NullOr(UnsubscribeWay).annotate({
    description: "The way to leave the mailing list of the message; null if the message offers none.",
  }),
  invitation: Schema.NullOr(Invitation).annotate({
    description: "The event in the calendar of the message; null if it has none that can be read.",
  }),
  blockedRemote: Count.annotate({ description: "Number of remote resources that were removed from the HTML." }),
  truncated: Schema.Boolean.annotate({
    description:
      "True if `text` or `html` was cut at 2 MiB, `to` or `cc` at 200 recipients, or a value of `headers` at " +
      "16,384 characters; `rawUrl` has the whole message.",
  }),
  parsed: Schema.Boolean.annotate({
    description:
      "False if the message could not be parsed. Then `text`, `html` and `headers` are missing, and `rawUrl` has the whole message.",
  }),
  parseFault: Schema.NullOr(Schema.Literals(["malformed", "too_slow", "crashed", "quarantined", "busy"])).annotate({
    description: "Why the message could not be parsed; retry only after `busy`. Null if the message was parsed.",
  }),
  rawUrl: Schema.String.annotate({ description: "Path of the message as it was received." }),
}).annotate({ identifier: "Message", description: "A message with its text, header fields and attachments." });

export const MessageAnswer = Schema.Struct({
  ok: Ok,
  data: Message,
}).annotate({ identifier: "MessageAnswer", description: "A message." });

const params = { id: MessageId };

const read = HttpApiEndpoint.get("read", "/:id", {
  params,
  success: MessageAnswer,
  error: [MessageNotFound, ...MAIL_SERVER_PROBLEMS],
}).annotateMerge(
  documented({
    scope: "mail:read",
    summary: "Read a message",
    description:
      "Returns the text, the sanitised HTML, the header fields and the list of attachments. The message stays " +
      "unread. A message that cannot be parsed within 5 seconds of CPU time is returned with `parsed: false`.",
    answer: { ok: true, data: MESSAGE },
  }),
);

const raw = HttpApiEndpoint.get("raw", "/:id/raw", {
  params,
  headers: rangeHeaders,
  success: Bytes,
  error: [MessageNotFound, RangeUnsatisfiable, ...MAIL_SERVER_PROBLEMS],
}).annotateMerge(
  documented({
    scope: "mail:read",
    summary: "Download a message as it was received",
    description:
      "Streams the message (RFC 5322) from the mail server, with an `ETag`; the answer to a `Range` is 206. The " +
      "message stays unread.",
    answer: RAW_MESSAGE,
  }),
);

const attachment = HttpApiEndpoint.get("attachment", "/:id/attachments/:attachmentId", {
  params: {
    ...params,
    attachmentId: messageFields.attachmentId.annotate({
      description: "Id of the attachment, within the message.",
      examples: ["2"],
    }),
  },
  headers: rangeHeaders,
  success: Bytes,
  error: [MessageNotFound, AttachmentNotFound, RangeUnsatisfiable, ...MAIL_SERVER_PROBLEMS],
}).annotateMerge(
  documented({
    scope: "mail:read",
    summary: "Download an attachment",
    description:
      "Streams the decoded attachment, with an `ETag`; the answer to a `Range` is 206. `Content-Type` is that of " +
      "the file if browsers do not run such files, otherwise `application/octet-stream`.",
    answer: "%PDF-1.7…",
  }),
);

/** The message for which the request waited (spec 5.6). */
export const AwaitedMessage = Schema.Struct({
  ...Message.fields,
  codes: Schema.Array(Schema.String).annotate({
    description: "Codes to sign in with or to confirm an address, without the blanks between their digits.",
  }),
  links: Schema.Array(Schema.String).annotate({
    description: "URLs of the links in the message, each once, at most 100, without the URLs of pictures.",
  }),
}).annotate({ identifier: "AwaitedMessage", description: "A message that arrived, with its codes and links." });

const wait = HttpApiEndpoint.post("wait", "/wait", {
  payload: Schema.Struct({
    from: Schema.optionalKey(searchFields.from.annotate({ description: "Part of the name or address in From." })),
    to: Schema.optionalKey(searchFields.to.annotate({ description: "Part of the names and addresses in To." })),
    subject: Schema.optionalKey(searchFields.subject.annotate({ description: "Part of the subject." })),
    contains: Schema.optionalKey(searchFields.text.annotate({ description: "Part of the text." })),
    folders: Schema.optionalKey(
      messageFields.folders.annotate({
        description:
          "Ids, roles or names of folders to look in. Default: the inbox. Other folders are checked every 3 " +
          "seconds.",
        examples: [["inbox", "junk"]],
      }),
    ),
    timeout: Schema.optionalKey(
      messageFields.timeout.annotate({
        description: "Maximum wait in seconds. Default: 60.",
      }),
    ),
    after: Schema.optionalKey(
      feedFields.after.annotate({
        description:
          "`next` of an earlier answer or of the feed: messages that the inbox received since then match, too. Default: the present.",
        examples: ["3f6c1d2e.4711"],
      }),
    ),
  }),
  success: Schema.Struct({
    ok: Ok,
    data: Schema.NullOr(AwaitedMessage).annotate({ description: "The message; null if none came in time." }),
    next: Schema.String.annotate({
      description: "The position up to which the inbox was checked: `after` of the next request.",
    }),
  }),
  error: [FolderNotFound, FolderAmbiguous, FolderNotSelectable, FeedExpired, ...MAIL_SERVER_PROBLEMS],
}).annotateMerge(
  documented({
    scope: "mail:read",
    summary: "Wait for a message",
    description:
      "Returns the first message that matches and arrives after the request began, with the codes and links that " +
      "are in it. Parts of texts are compared without case. A message that was there before is never returned. " +
      "If none came in time, or the service stops, `data` is null: repeat the request with `next` as `after`, so " +
      "that no message of the inbox is missed.",
    request: { from: "shop.example", subject: "confirm", timeout: 90 },
    answer: {
      ok: true,
      data: { ...MESSAGE, codes: ["482913"], links: ["https://shop.example/confirm?t=5fd1"] },
      next: "3f6c1d2e.4712",
    },
  }),
);

/** Reading messages and acting on them (spec 5). */
export class MessagesGroup extends HttpApiGroup.make("messages")
  .add(listAccount)
  .add(read)
  .add(raw)
  .add(attachment)
  .add(change)
  .add(remove)
  .add(batch)
  .add(wait)
  .prefix("/api/messages")
  .middleware(Authorization)
  .annotate(OpenApi.Title, "Messages")
  .annotate(OpenApi.Description, "Read, download, change and delete messages.") {}
