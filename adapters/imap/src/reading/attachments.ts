import type { Attachment } from "@postern/core/mail";
import type { MessageStructureObject } from "imapflow";

/**
 * Returns the attachments of a message (spec 5): parts with disposition `attachment` or a file name, and parts that are
 * neither text nor referred to by an HTML text. Attachments of a forwarded message are not listed.
 */
export const attachmentsOf = (structure: MessageStructureObject | undefined): ReadonlyArray<Attachment> => {
  if (structure === undefined) return NONE;
  const found: Array<Attachment> = [];
  collect(structure, found);
  return found;
};

const NONE: ReadonlyArray<Attachment> = [];

const collect = (part: MessageStructureObject, found: Array<Attachment>): void => {
  if (part.type.startsWith("multipart/")) {
    for (const child of part.childNodes ?? []) collect(child, found);
    return;
  }
  const name = part.dispositionParameters?.["filename"] || part.parameters?.["name"] || null;
  const type = TYPE.test(part.type) ? part.type : "text/plain";
  const isShownInPlace = type.startsWith("text/") || part.id !== undefined;
  if (part.disposition === "attachment" || name !== null || !isShownInPlace) {
    found.push({ id: part.part ?? "1", name, type, size: decodedSize(part.size ?? 0, part.encoding) });
  }
};

/** The form of a media type. A part without one is plain text (RFC 2045, 5.2). */
export const TYPE = /^[^/]+\/[^/]+$/;

/** Returns the size after decoding. Base64 puts 57 bytes into 76 characters and a line end (RFC 2045, 6.8). */
export const decodedSize = (size: number, encoding: string | undefined): number => {
  if (encoding !== "base64") return size;
  const lines = Math.floor(size / 78);
  return lines * 57 + Math.floor(((size - lines * 78) * 3) / 4);
};
