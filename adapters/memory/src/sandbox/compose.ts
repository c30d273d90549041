import { type Charset, encodeText } from "./charsets.ts";
import { encodedWords, foldedField, headerDate, mailboxText, parameter } from "./header-text.ts";
import { base64Lines, quotedPrintable } from "./transfer-encodings.ts";

export interface Correspondent {
  readonly name: string;
  readonly address: string;
}

/** A file that goes along with a message. */
export interface ComposedFile {
  readonly name: string | null;
  readonly type: string;
  readonly content: Uint8Array;
  /** With it the file is a picture of the HTML, referred to as `cid:…`. */
  readonly contentId?: string;
}

/** A message to be written out as RFC 5322. */
export interface Composition {
  readonly from: Correspondent;
  readonly to: ReadonlyArray<Correspondent>;
  readonly cc?: ReadonlyArray<Correspondent>;
  readonly subject: string | null;
  /** Message-IDs with their angle brackets. */
  readonly id: string;
  readonly inReplyTo?: string;
  readonly references?: ReadonlyArray<string>;
  readonly sentAt: number;
  readonly headers?: ReadonlyArray<readonly [name: string, value: string]>;
  readonly text: string;
  readonly html?: string;
  /** Made when the message is. */
  readonly files?: () => ReadonlyArray<ComposedFile>;
  readonly charset?: Charset;
  /** How the text goes over the wire where it is not ASCII. */
  readonly encoding?: "8bit" | "quoted-printable" | "base64";
}

/** The raw message. */
export const compose = (message: Composition): Uint8Array => {
  const { charset = "utf-8", subject } = message;
  const mailboxes = (list: ReadonlyArray<Correspondent>) =>
    list.map(({ name, address }) => mailboxText(name, address, charset)).join(", ");
  const fields: ReadonlyArray<readonly [name: string, value: string | null]> = [
    [
      "Received",
      `from mail.${domainOf(message.from)} by mx.${domainOf(message.to[0]!)} with ESMTPS; ${headerDate(message.sentAt + 2000)}`,
    ],
    ["Date", headerDate(message.sentAt)],
    ["From", mailboxes([message.from])],
    ["To", mailboxes(message.to)],
    ["Cc", message.cc === undefined ? null : mailboxes(message.cc)],
    ["Subject", subject === null ? null : encodedWords(subject, charset)],
    ["Message-ID", message.id],
    ["In-Reply-To", message.inReplyTo ?? null],
    ["References", message.references?.join(" ") ?? null],
    ...(message.headers ?? []),
    ["MIME-Version", "1.0"],
  ];
  const head = fields.flatMap(([name, value]) => (value === null ? [] : [foldedField(name, value), "\r\n"]));
  return Buffer.from(head.join("") + bodyOf(message, charset), "latin1");
};

const domainOf = ({ address }: Correspondent): string => address.slice(address.indexOf("@") + 1);

/** Entities here are bytes as the characters of the same numbers. */
const bodyOf = (message: Composition, charset: Charset): string => {
  const { html, text, id } = message;
  const files = message.files?.() ?? [];
  const pictures = files.filter(({ contentId }) => contentId !== undefined);
  const others = files.filter(({ contentId }) => contentId === undefined);
  const plain = textPart("plain", text, charset, message.encoding);
  const boundary = (level: string) => `----=_${level}_${id.replaceAll(/[^a-z0-9]/gi, "")}`;
  let body = plain;
  if (html !== undefined) {
    const rich = textPart("html", html, charset, message.encoding);
    const shown = pictures.length === 0 ? rich : multipart("related", boundary("r"), [rich, ...pictures.map(filePart)]);
    body = multipart("alternative", boundary("a"), [plain, shown]);
  }
  return others.length === 0 ? body : multipart("mixed", boundary("m"), [body, ...others.map(filePart)]);
};

const textPart = (
  subtype: string,
  text: string,
  charset: Charset,
  encoding: Composition["encoding"] = "8bit",
): string => {
  const bytes = encodeText(text.replaceAll("\n", "\r\n"), charset);
  const isPlain = charset === "iso-2022-jp" || /^[\0-\x7f]*$/.test(text);
  const type = `text/${subtype}; charset=${charset}`;
  if (encoding === "base64") return entity(type, "base64", base64Lines(bytes));
  return encoding === "quoted-printable"
    ? entity(type, encoding, quotedPrintable(bytes))
    : entity(type, isPlain ? "7bit" : "8bit", Buffer.from(bytes).toString("latin1"));
};

const filePart = ({ name, type, content, contentId }: ComposedFile): string => {
  const named = name === null ? "" : `; ${parameter("filename", name)}`;
  const disposition = contentId === undefined ? `attachment${named}` : `inline${named}\r\nContent-ID: <${contentId}>`;
  return entity(`${type}\r\nContent-Disposition: ${disposition}`, "base64", base64Lines(content));
};

const entity = (type: string, encoding: string, body: string): string =>
  `Content-Type: ${type}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${body.replace(/(\r\n)?$/, "\r\n")}`;

const multipart = (subtype: string, boundary: string, parts: ReadonlyArray<string>): string => {
  const inner = parts.map((part) => `--${boundary}\r\n${part}`).join("");
  return `Content-Type: multipart/${subtype}; boundary="${boundary}"\r\n\r\n${inner}--${boundary}--\r\n`;
};
