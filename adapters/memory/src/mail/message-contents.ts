import type { Address, Attachment } from "@postern/core";
import PostalMime, { type Address as ParsedAddress } from "postal-mime";
import type { MessageContents } from "./Mailbox.ts";
import { headerField, type MimeSection, mimeSections } from "./mime-sections.ts";

/** What a listing shows of a raw message, as a mail server's ENVELOPE and BODYSTRUCTURE would have it. */
export const messageContents = async (raw: Uint8Array): Promise<MessageContents> => {
  const text = latin1(raw);
  const email = await PostalMime.parse(raw, { attachmentEncoding: "arraybuffer" });
  const attachments = await Promise.all(mimeSections(text).map(attachmentOf));
  return {
    messageId: email.messageId || null,
    threadId: null,
    subject: email.subject ?? "",
    from: addressesOf(email.from === undefined ? [] : [email.from])[0] ?? null,
    to: addressesOf(email.to),
    cc: addressesOf(email.cc),
    sentAt: timeOf(headerField(text.slice(0, headerEnd(text)), "date")),
    size: raw.length,
    attachments: attachments.filter((attachment) => attachment !== undefined),
  };
};

/** Bytes as the characters of the same numbers, so that text can be searched and cut without decoding it. */
const latin1 = (bytes: Uint8Array): string => new TextDecoder("latin1").decode(bytes);

const headerEnd = (text: string): number => {
  const end = text.startsWith("\r\n") ? 0 : text.indexOf("\r\n\r\n");
  return end < 0 ? text.length : end;
};

const addressesOf = (parsed: ReadonlyArray<ParsedAddress> = []): ReadonlyArray<Address> =>
  parsed.flatMap((entry) =>
    "group" in entry && entry.group !== undefined
      ? addressesOf(entry.group)
      : [{ name: entry.name, address: entry.address ?? "" }],
  );

const timeOf = (date: string | undefined): number | null => {
  const at = Date.parse(date ?? "");
  return Number.isNaN(at) ? null : at;
};

const attachmentOf = async ({ section, entity, header, body }: MimeSection): Promise<Attachment | undefined> => {
  const disposition = headerField(header, "content-disposition")?.split(";")[0]?.trim().toLowerCase();
  const type = /^[^/\s;]+\/[^/\s;]+/.exec(headerField(header, "content-type") ?? "")?.[0].toLowerCase() ?? "text/plain";
  // A text is an attachment to the parser only where it says so; then its name is read like any other's.
  const marked = disposition === "attachment" ? entity : `Content-Disposition: attachment\r\n${withoutDisposition(entity, header)}`;
  const parsed = await PostalMime.parse(bytesOf(marked), { forceRfc822Attachments: true });
  const [file] = parsed.attachments;
  const name = (await nameOf(header)) ?? file?.filename ?? null;
  const isShownInPlace = type.startsWith("text/") || headerField(header, "content-id") !== undefined;
  if (disposition !== "attachment" && name === null && isShownInPlace) return undefined;
  const isBase64 = headerField(header, "content-transfer-encoding")?.toLowerCase() === "base64";
  const content = file?.content;
  const size = isBase64 && content instanceof ArrayBuffer ? content.byteLength : body.length;
  return { id: section, name: name || null, type, size };
};

/** The name its own disposition gives it, which goes before the one of its type. */
const nameOf = async (header: string): Promise<string | undefined> => {
  const disposition = headerField(header, "content-disposition");
  if (disposition === undefined || !/filename/i.test(disposition)) return undefined;
  const parameters = disposition.slice(disposition.indexOf(";"));
  const alone = `Content-Type: application/octet-stream\r\nContent-Disposition: attachment${parameters}\r\n\r\n`;
  const parsed = await PostalMime.parse(bytesOf(alone));
  return parsed.attachments[0]?.filename ?? undefined;
};

const withoutDisposition = (entity: string, header: string): string =>
  header.replace(/^content-disposition:[^\r]*(?:\r\n[ \t][^\r]*)*(\r\n|$)/im, "") + entity.slice(header.length);

const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));
