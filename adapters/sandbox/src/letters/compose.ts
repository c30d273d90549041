import { createHash } from "node:crypto";
import * as base64 from "nodemailer/lib/base64";
import MailComposer from "nodemailer/lib/mail-composer";
import type MimeNode from "nodemailer/lib/mime-node";
import * as quotedPrintable from "nodemailer/lib/qp";
import { type Charset, encodeText } from "./charsets.ts";

export interface Correspondent {
  readonly name: string;
  readonly address: string;
}

/** A file of a message. */
export interface ComposedFile {
  readonly name: string | null;
  readonly type: string;
  readonly content: Uint8Array;
  /** Makes the file a picture that the HTML refers to as `cid:…`. */
  readonly contentId?: string;
}

/** A message to be written as RFC 5322. */
export interface Composition {
  readonly from: Correspondent;
  readonly to: ReadonlyArray<Correspondent>;
  readonly cc?: ReadonlyArray<Correspondent>;
  readonly subject: string | null;
  /** The Message-ID with its angle brackets. */
  readonly id: string;
  readonly inReplyTo?: string;
  readonly references?: ReadonlyArray<string>;
  readonly sentAt: number;
  readonly headers?: ReadonlyArray<readonly [name: string, value: string]>;
  readonly text: string;
  readonly html?: string;
  /** Called when the message is composed. */
  readonly files?: () => ReadonlyArray<ComposedFile>;
  /** Charset of the texts; header fields are in UTF-8. */
  readonly charset?: Charset;
  /** Encoding of the texts; by default 7bit for short lines of ASCII, otherwise quoted-printable. */
  readonly encoding?: "quoted-printable" | "base64";
}

/** Returns the raw message, with nodemailer's MIME tree and header fields. */
export const compose = (message: Composition): Uint8Array => Buffer.from(writeNode(composerOf(message).compile()));

const composerOf = (message: Composition): MailComposer => {
  const { from, to, cc = [], subject, id, inReplyTo, references = [], sentAt, headers = [], text, html } = message;
  const received = `from mail.${domainOf(from)} by mx.${domainOf(to[0]!)} with ESMTPS; ${headerDate(sentAt + 2000)}`;
  return new MailComposer({
    // The same message always has the same bytes.
    baseBoundary: createHash("sha256").update(id).digest("hex").slice(0, 24),
    textEncoding: "Q",
    // The headers are marked as prepared, because nodemailer would encode the angle brackets of a List-Id.
    headers: [["Received", received] as const, ...headers].map(([key, value]) => ({
      key,
      value: { value, prepared: true, foldLines: true },
    })),
    date: headerDate(sentAt),
    from,
    to: [...to],
    cc: [...cc],
    messageId: id,
    references: [...references],
    ...(subject === null ? {} : { subject }),
    ...(inReplyTo === undefined ? {} : { inReplyTo }),
    alternatives: [textPart("plain", text, message), ...(html === undefined ? [] : [textPart("html", html, message)])],
    attachments: (message.files?.() ?? []).map(({ name, type, content, contentId }) => ({
      filename: name ?? false,
      contentType: type,
      content: Buffer.from(content),
      ...(contentId === undefined ? {} : { cid: contentId }),
    })),
  });
};

const domainOf = ({ address }: Correspondent): string => address.slice(address.indexOf("@") + 1);

/** Returns a date in header format, in UTC. */
export const headerDate = (at: number): string => new Date(at).toUTCString().replace("GMT", "+0000");

const textPart = (subtype: string, text: string, { charset = "utf-8", encoding }: Composition) => {
  const lines = text.replaceAll("\n", "\r\n");
  return {
    contentType: `text/${subtype}; charset=${charset}`,
    content: charset === "utf-8" ? lines : Buffer.from(encodeText(lines, charset)),
    ...(encoding === undefined ? {} : { contentTransferEncoding: encoding }),
  };
};

/**
 * Writes a MIME node with its line end. nodemailer's own writer is a stream; letters are composed when a mailbox is
 * first read, and synchronously, so that reads do not wait on a virtual clock.
 */
const writeNode = (node: MimeNode): string => {
  const head = `${node.buildHeaders()}\r\n\r\n`;
  const parts = node.childNodes.map((child) => `--${node.boundary}\r\n${writeNode(child)}`).join("");
  if (parts !== "") return `${head}${parts}--${node.boundary}--\r\n`;
  return head + encodeContent(node).replace(/(\r\n)?$/, "\r\n");
};

const encodeContent = (node: MimeNode): string => {
  const content = node.content as string | Buffer;
  switch (node.getTransferEncoding()) {
    case "base64":
      return base64.wrap(base64.encode(content));
    case "quoted-printable":
      return quotedPrintable.wrap(quotedPrintable.encode(content));
    default:
      return content.toString();
  }
};
