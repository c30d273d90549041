import { encode as encodeBase64, wrap as wrapBase64 } from "nodemailer/lib/base64";
import type MimeNode from "nodemailer/lib/mime-node";
import { encode as encodeQuotedPrintable, wrap as wrapQuotedPrintable } from "nodemailer/lib/qp";

const LINE_LENGTH = 76;

/**
 * Returns the bytes of a message whose bodies are all texts, as nodemailer writes them. It passes each body through a
 * chain of streams, which costs several times what the message itself does.
 */
export const writeAtOnce = (message: MimeNode): Uint8Array => {
  const written = textOf(message).replaceAll(/(?<!\r)\n/g, "\r\n");
  const end = written.endsWith("\n") ? "" : written.endsWith("\r") ? "\n" : "\r\n";
  return Buffer.from(written + end);
};

const textOf = (node: MimeNode): string => {
  const encoding = node.getTransferEncoding();
  const head = `${node.buildHeaders()}\r\n\r\n`;
  // Set when the headers are built.
  const { multipart, boundary, childNodes, content } = node;
  if (!multipart) return head + encoded(content, encoding);
  return `${head}${childNodes.map((child) => `--${boundary}\r\n${textOf(child)}`).join("\r\n")}\r\n--${boundary}--\r\n`;
};

const encoded = (content: MimeNode["content"], encoding: string | false): string => {
  if (!content) return "";
  if (typeof content !== "string") throw new Error("a body is not a text");
  if (encoding === "base64") return wrapBase64(encodeBase64(content), LINE_LENGTH);
  if (encoding === "quoted-printable") return wrapQuotedPrintable(encodeQuotedPrintable(content), LINE_LENGTH);
  return content;
};
