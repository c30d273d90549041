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
  readonly from: string;
  readonly to: ReadonlyArray<string>;
  readonly cc?: ReadonlyArray<string>;
  readonly subject: string | null;
  readonly id: string;
  readonly inReplyTo?: string;
  readonly sentAt: number;
  readonly headers?: ReadonlyArray<readonly [name: string, value: string]>;
  readonly text: string;
  readonly html?: string;
  readonly files?: ReadonlyArray<ComposedFile>;
  /** The text's own bytes and what they are in, where it is not UTF-8. */
  readonly charset?: { readonly name: string; readonly bytes: Uint8Array };
}

const utf8 = new TextEncoder();

/** The raw message. */
export const compose = (message: Composition): Uint8Array => {
  const headers = [
    ["From", message.from],
    ["To", message.to.join(", ")],
    ...(message.cc === undefined ? [] : [["Cc", message.cc.join(", ")]]),
    ...(message.subject === null ? [] : [["Subject", message.subject]]),
    ["Message-ID", message.id],
    ...(message.inReplyTo === undefined ? [] : [["In-Reply-To", message.inReplyTo], ["References", message.inReplyTo]]),
    ["Date", rfc5322Date(message.sentAt)],
    ...(message.headers ?? []),
    ["MIME-Version", "1.0"],
  ];
  const head = headers.map(([name, value]) => `${name}: ${fold(encodeWords(value!))}`).join("\r\n");
  return utf8.encode(`${head}\r\n${bodyOf(message)}`);
};

const bodyOf = (message: Composition): string => {
  const files = message.files ?? [];
  const pictures = files.filter(({ contentId }) => contentId !== undefined);
  const others = files.filter(({ contentId }) => contentId === undefined);
  let body = textPart(message);
  if (message.html !== undefined) {
    const html = entity("text/html; charset=utf-8", "base64", base64(utf8.encode(message.html)));
    const shown = pictures.length === 0 ? html : multipart("related", [html, ...pictures.map(filePart)]);
    body = multipart("alternative", [body, shown]);
  }
  return others.length === 0 ? body : multipart("mixed", [body, ...others.map(filePart)]);
};

const textPart = ({ text, charset }: Composition): string =>
  charset === undefined
    ? entity("text/plain; charset=utf-8", "8bit", text.replaceAll("\n", "\r\n"))
    : entity(`text/plain; charset=${charset.name}`, "quoted-printable", quotedPrintable(charset.bytes));

const filePart = ({ name, type, content, contentId }: ComposedFile): string => {
  const file = name === null ? "" : `; filename*=utf-8''${encodeURIComponent(name)}`;
  const disposition = contentId === undefined ? `attachment${file}` : `inline${file}\r\nContent-ID: <${contentId}>`;
  return entity(`${type}\r\nContent-Disposition: ${disposition}`, "base64", base64(content));
};

const entity = (type: string, encoding: string, body: string): string =>
  `Content-Type: ${type}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${body}\r\n`;

/** Bodies are text or base64, so that a boundary with `=_` in it cannot occur in them. */
const multipart = (subtype: string, parts: ReadonlyArray<string>): string => {
  const boundary = `=_${subtype}`;
  const inner = parts.map((part) => `--${boundary}\r\n${part}`).join("\r\n");
  return `Content-Type: multipart/${subtype}; boundary="${boundary}"\r\n\r\n${inner}\r\n--${boundary}--\r\n`;
};

/** Words that are not ASCII as encoded words (RFC 2047), each whole characters of at most 45 bytes. */
const encodeWords = (value: string): string =>
  value.replaceAll(/[^\x20-\x7e]+(?: +[^\x20-\x7e]+)*/g, (run) => {
    const words: Array<string> = [];
    let word = "";
    for (const character of run) {
      if (utf8.encode(word + character).length > 45) {
        words.push(word);
        word = "";
      }
      word += character;
    }
    return [...words, word].map((part) => `=?utf-8?B?${base64(utf8.encode(part))}?=`).join(" ");
  });

const fold = (value: string): string => {
  let line = 0;
  return value.replaceAll(/ (\S+)/g, (whole, word: string) => {
    line += whole.length;
    if (line < 70) return whole;
    line = word.length;
    return `\r\n ${word}`;
  });
};

const base64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replaceAll(/.{76}(?=.)/g, "$&\r\n");

const quotedPrintable = (bytes: Uint8Array): string => {
  let line = "";
  let out = "";
  for (const byte of bytes) {
    const plain = (byte >= 32 && byte <= 126 && byte !== 61) || byte === 9;
    const next = byte === 10 ? "\r\n" : plain ? String.fromCharCode(byte) : `=${byte.toString(16).toUpperCase().padStart(2, "0")}`;
    if (next !== "\r\n" && line.length + next.length > 75) {
      out += `${line}=\r\n`;
      line = "";
    }
    line = next === "\r\n" ? ((out += line + next), "") : line + next;
  }
  return out + line;
};

const rfc5322Date = (millis: number): string => new Date(millis).toUTCString().replace("GMT", "+0000");
