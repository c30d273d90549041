import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { StoreUnavailable } from "@postern/core/shared";
import { type Composition, MessageComposer, type OutgoingAttachment } from "@postern/core/send";
import { Context, Effect, Layer, Stream } from "effect";
import MailComposer, { type MailComposerOptions } from "nodemailer/lib/mail-composer";
import { encode as encodeBase64, wrap as wrapBase64 } from "nodemailer/lib/base64";
import type MimeNode from "nodemailer/lib/mime-node";
import { encode as encodeQuotedPrintable, wrap as wrapQuotedPrintable } from "nodemailer/lib/qp";

type ReadAttachment = (attachment: OutgoingAttachment) => Stream.Stream<Uint8Array, StoreUnavailable>;

/** Composes messages with nodemailer's MIME builder, with access to files and URLs disabled. */
export const layer: Layer.Layer<MessageComposer> = Layer.succeed(MessageComposer, {
  compose: (message, read) =>
    Stream.unwrap(
      Effect.map(Effect.context<never>(), (context) => {
        assertOneLine(message);
        if (message.attachments.length === 0)
          return Stream.make(writeAtOnce(compileMessage(message, read, context, [])));
        return Stream.fromAsyncIterable(
          written(message, read, context),
          (error) => new StoreUnavailable({ detail: `a message could not be written: ${String(error)}` }),
        );
      }),
    ),
});

const compileMessage = (
  message: Composition,
  read: ReadAttachment,
  context: Context.Context<never>,
  files: Array<Readable>,
) => {
  const node = new MailComposer(optionsOf(message, read, context, files)).compile();
  node.keepBcc = message.showBcc;
  return node;
};

const written = (message: Composition, read: ReadAttachment, context: Context.Context<never>): Readable => {
  const files: Array<Readable> = [];
  const out = compileMessage(message, read, context, files).createReadStream() as Readable;
  // If an attachment cannot be read, the message fails; otherwise its readers would wait forever.
  for (const file of files) file.on("error", (error) => out.destroy(error));
  out.once("close", () => files.forEach((file) => file.destroy()));
  return out;
};

const optionsOf = (
  message: Composition,
  read: ReadAttachment,
  context: Context.Context<never>,
  files: Array<Readable>,
): MailComposerOptions => ({
  disableFileAccess: true,
  disableUrlAccess: true,
  newline: "\r\n",
  // The boundary is derived from the message id, so that every attempt sends the same bytes.
  baseBoundary: createHash("sha256").update(message.messageId).digest("hex").slice(0, 24),
  messageId: message.messageId,
  date: headerDate(message.date),
  from: { ...message.from },
  to: message.to.map((address) => ({ ...address })),
  cc: message.cc.map((address) => ({ ...address })),
  ...(message.showBcc ? { bcc: message.bcc.map((address) => ({ ...address })) } : {}),
  replyTo: message.replyTo.map((address) => ({ ...address })),
  subject: message.subject,
  ...(message.inReplyTo === null ? {} : { inReplyTo: message.inReplyTo }),
  references: [...message.references],
  headers: message.headers.map(([key, value]) => ({ key, value })),
  ...(message.text === null ? {} : { text: message.text }),
  ...(message.html === null ? {} : { html: message.html }),
  attachments: message.attachments.map((attachment) => {
    const content = fileOf(attachment, read, context);
    files.push(content);
    const { name, type, contentId } = attachment;
    const inline = contentId === null ? {} : { cid: contentId, contentDisposition: "inline" as const };
    return { filename: name, contentType: type, contentTransferEncoding: "base64" as const, content, ...inline };
  }),
});

/** Returns a stream that opens an attachment only when it is written. */
const fileOf = (attachment: OutgoingAttachment, read: ReadAttachment, context: Context.Context<never>): Readable =>
  Readable.from(Stream.toAsyncIterableWith(read(attachment), context), { objectMode: false });

const headerDate = (millis: number): string => new Date(millis).toUTCString().replace("GMT", "+0000");

/** Dies if a header field contains a line break. Requests and drafts are validated before; this protects against other callers. */
const assertOneLine = (message: Composition): void => {
  const header = { ...message, text: null, html: null };
  if (/\\[rn0]|\\u00[01]/.test(JSON.stringify(header).replaceAll("\\\\", ""))) {
    throw new Error("a header value has a line break or a control character in it");
  }
};

const LINE_LENGTH = 76;

/**
 * Returns the bytes of a message with only text bodies, identical to nodemailer's output. nodemailer passes each body
 * through a chain of streams, which takes several times as long.
 */
export const writeAtOnce = (message: MimeNode): Uint8Array => {
  const written = textOf(message).replaceAll(/(?<!\r)\n/g, "\r\n");
  const end = written.endsWith("\n") ? "" : written.endsWith("\r") ? "\n" : "\r\n";
  return Buffer.from(written + end);
};

const textOf = (node: MimeNode): string => {
  const encoding = node.getTransferEncoding();
  const head = `${node.buildHeaders()}\r\n\r\n`;
  // nodemailer sets these when it builds the headers.
  const { multipart, boundary, childNodes, content } = node;
  if (!multipart) return head + encodeContent(content, encoding);
  return `${head}${childNodes.map((child) => `--${boundary}\r\n${textOf(child)}`).join("\r\n")}\r\n--${boundary}--\r\n`;
};

const encodeContent = (content: MimeNode["content"], encoding: string | false): string => {
  if (!content) return "";
  if (typeof content !== "string") throw new Error("a body is not a text");
  if (encoding === "base64") return wrapBase64(encodeBase64(content), LINE_LENGTH);
  if (encoding === "quoted-printable") return wrapQuotedPrintable(encodeQuotedPrintable(content), LINE_LENGTH);
  return content;
};
