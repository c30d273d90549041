import type { BodyPart } from "@postern/core/mail";
import { type Entity, entity } from "./entity.ts";
import { structuredField } from "./mime-parameters.ts";

/** A message's MIME tree with the bodies of its leaves. */
export interface MessageStructure {
  readonly structure: BodyPart;
  /** The encoded bodies by section number; each byte is a character with the same code. */
  readonly bodies: ReadonlyMap<string, string>;
}

/** The maximum depth, as on real servers. */
const MAX_DEPTH = 100;

/** The form of a media type. A part without one is plain text without parameters (RFC 2045, 5.2). */
const TYPE = /^[^/\s]+\/[^/\s]+$/;

/**
 * Reads a message's MIME tree as a server's BODYSTRUCTURE shows it, without the parts of forwarded messages.
 * Postal-mime cannot replace this reader. It reports no section numbers (RFC 9051, 6.4.5), sizes or encoded bytes of a
 * part, and it is asynchronous, but the fake server answers synchronously.
 */
export const messageStructure = (message: Entity): MessageStructure => {
  const bodies = new Map<string, string>();
  const read = ({ fields, body }: Entity, within: string, otherwise: string, depth: number): BodyPart => {
    const { value, parameters } = structuredField(fields.get("content-type") ?? otherwise);
    const isTyped = TYPE.test(value);
    const type = isTyped ? value : "text/plain";
    const isMultipart = type.startsWith("multipart/");
    const boundary = isMultipart && depth <= MAX_DEPTH ? parameters.get("boundary") : undefined;
    const section = boundary === undefined ? within || "1" : within;
    if (!isMultipart) bodies.set(section, body);
    const ofParts = type === "multipart/digest" ? "message/rfc822" : "text/plain";
    const disposition = structuredField(fields.get("content-disposition") ?? "");
    const encoding = structuredField(fields.get("content-transfer-encoding") ?? "7bit").value;
    return {
      section,
      type,
      parameters: isTyped ? Object.fromEntries(parameters) : {},
      encoding,
      size: decodedSize(body, encoding),
      name: disposition.parameters.get("filename") || (isTyped && parameters.get("name")) || null,
      disposition: disposition.value || null,
      contentId: fields.get("content-id")?.replace(/^<(.*)>$/, "$1") || null,
      parts: (boundary === undefined ? [] : partsOf(body, boundary)).map((part, n) =>
        read(entity(part), within === "" ? `${n + 1}` : `${within}.${n + 1}`, ofParts, depth + 1),
      ),
    };
  };
  return { structure: read(message, "", "text/plain", 0), bodies };
};

/** Returns the decoded size, as the IMAP adapter estimates it: only base64 changes the size. */
const decodedSize = (body: string, encoding: string): number =>
  encoding === "base64" ? Math.floor((body.replaceAll(/[^A-Za-z0-9+/]/g, "").length * 3) / 4) : body.length;

/**
 * Splits a multipart body. The line end before a boundary belongs to the boundary (RFC 2046, 5.1.1); without a closing
 * boundary the last part extends to the end.
 */
const partsOf = (body: string, boundary: string): ReadonlyArray<string> => {
  const text = `\r\n${body}`;
  const delimiter = new RegExp(`\\r\\n--${boundary.replaceAll(/[^\w]/g, "\\$&")}(--)?[ \\t]*(?=\\r\\n|$)`, "g");
  const parts: Array<string> = [];
  let start = -1;
  for (const found of text.matchAll(delimiter)) {
    if (start >= 0) parts.push(text.slice(start, Math.max(start, found.index)));
    start = found.index + found[0].length + 2;
    if (found[1] !== undefined) return parts;
  }
  return start < 0 || start > text.length ? parts : [...parts, text.slice(start)];
};
