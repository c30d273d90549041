/** A leaf of a message's MIME tree, named as IMAP names it (RFC 9051, 6.4.5). */
export interface MimeSection {
  readonly section: string;
  /** Header lines and body, a message of its own to a parser. Bytes as Latin-1 characters. */
  readonly entity: string;
  readonly header: string;
  readonly body: string;
}

/** The leaves of a raw message in their order; what lies within a forwarded message is its own affair. */
export const mimeSections = (raw: string): ReadonlyArray<MimeSection> => leaves(raw, "");

const leaves = (entity: string, within: string): ReadonlyArray<MimeSection> => {
  const { header, body } = split(entity);
  const boundary = multipartBoundary(header);
  if (boundary === undefined) return [{ section: within || "1", entity, header, body }];
  return parts(body, boundary).flatMap((part, n) => leaves(part, within === "" ? `${n + 1}` : `${within}.${n + 1}`));
};

const split = (entity: string): { readonly header: string; readonly body: string } => {
  if (entity.startsWith("\r\n")) return { header: "", body: entity.slice(2) };
  const end = entity.indexOf("\r\n\r\n");
  return end < 0 ? { header: entity, body: "" } : { header: entity.slice(0, end), body: entity.slice(end + 4) };
};

/** One header field, unfolded; undefined where the entity has none. */
export const headerField = (header: string, name: string): string | undefined =>
  new RegExp(`^${name}:([^\\r]*(?:\\r\\n[ \\t][^\\r]*)*)`, "im").exec(header)?.[1]?.replaceAll("\r\n", "").trim();

const multipartBoundary = (header: string): string | undefined => {
  const type = headerField(header, "content-type");
  if (type === undefined || !/^multipart\//i.test(type)) return undefined;
  const found = /;\s*boundary\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]+))/i.exec(type);
  return found?.[1] ?? found?.[2];
};

/** The line end before a boundary belongs to the boundary (RFC 2046, 5.1.1). */
const parts = (body: string, boundary: string): ReadonlyArray<string> => {
  const delimiter = `\r\n--${boundary}`;
  const [, ...rest] = `\r\n${body}`.split(delimiter);
  const end = rest.findIndex((part) => part.startsWith("--"));
  return (end < 0 ? rest : rest.slice(0, end)).map((part) => part.replace(/^[ \t]*\r\n/, ""));
};
