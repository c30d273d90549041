import { headerFields, splitEntity } from "./header-fields.ts";
import { type StructuredField, structuredField } from "./mime-parameters.ts";

/** A part of a message's MIME tree, named as IMAP names it (RFC 9051, 6.4.5). */
export interface MimeSection {
  /** Empty for a multipart that is the whole message. */
  readonly section: string;
  readonly type: StructuredField;
  readonly fields: ReadonlyMap<string, string>;
  /** Still encoded; bytes as the characters of the same numbers. */
  readonly body: string;
  /** Of a multipart. */
  readonly parts: ReadonlyArray<MimeSection>;
}

/** Servers stop here. */
const DEEPEST = 100;

/** The MIME tree of a message; what lies within a forwarded message is its own affair. */
export const mimeTree = (
  { fields, body }: Pick<MimeSection, "fields" | "body">,
  within = "",
  otherwise = "text/plain",
  depth = 0,
): MimeSection => {
  const type = structuredField(fields.get("content-type") ?? otherwise);
  const boundary = type.value.startsWith("multipart/") ? type.parameters.get("boundary") : undefined;
  if (boundary === undefined || depth > DEEPEST) return { section: within || "1", type, fields, body, parts: [] };
  const inDigest = type.value === "multipart/digest" ? "message/rfc822" : "text/plain";
  const parts = partsOf(body, boundary).map((part, n) => {
    const { header, body } = splitEntity(part);
    const section = within === "" ? `${n + 1}` : `${within}.${n + 1}`;
    return mimeTree({ fields: headerFields(header), body }, section, inDigest, depth + 1);
  });
  return { section: within, type, fields, body, parts };
};

/** The leaves of a message in their order. */
export const mimeSections = (entity: Pick<MimeSection, "fields" | "body">): ReadonlyArray<MimeSection> =>
  leavesIn(mimeTree(entity));

const leavesIn = (part: MimeSection): ReadonlyArray<MimeSection> =>
  isContainer(part) ? part.parts.flatMap(leavesIn) : [part];

const isContainer = ({ type }: MimeSection): boolean =>
  type.value.startsWith("multipart/") && type.parameters.has("boundary");

/** The line end before a boundary belongs to the boundary (RFC 2046, 5.1.1); without a last one all the rest is the part. */
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
