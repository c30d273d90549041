/** A message or a part of one; bytes as characters with the same codes. */
export interface Entity {
  readonly header: string;
  /** Header fields by their names in lower case, unfolded and decoded. */
  readonly fields: ReadonlyMap<string, string>;
  readonly body: string;
}

export const messageEntity = (raw: Uint8Array): Entity =>
  entity(Buffer.from(raw.buffer, raw.byteOffset, raw.length).toString("latin1"));

/** Splits an entity at its first empty line; an entity without an empty line is all header. */
export const entity = (text: string): Entity => {
  const empty = text.startsWith("\r\n") ? -2 : text.indexOf("\r\n\r\n");
  const header = empty === -1 ? text : text.slice(0, Math.max(0, empty));
  return { header, fields: headerFields(header), body: empty === -1 ? "" : text.slice(empty + 4) };
};

const FIELD = /^([\x21-\x39\x3b-\x7e]+)[ \t]*:([^\r\n]*(?:\r\n[ \t][^\r\n]*)*)/gm;

const LISTS = new Set(["from", "to", "cc"]);

/** Joins the addresses of repeated fields. Of other repeated fields the last one counts, as in Dovecot. */
const headerFields = (header: string): ReadonlyMap<string, string> => {
  const fields = new Map<string, string>();
  for (const [, given, value] of unicode(header).matchAll(FIELD)) {
    const name = given!.toLowerCase();
    const before = LISTS.has(name) ? fields.get(name) : undefined;
    fields.set(name, before === undefined ? unfold(value!) : `${before}, ${unfold(value!)}`);
  }
  return fields;
};

const unfold = (value: string): string => value.replaceAll("\r\n", "").trim();

/** Decodes a header as UTF-8 (RFC 6532), otherwise as Latin-1. */
const unicode = (header: string): string => {
  if (/^[\0-\x7f]*$/.test(header)) return header;
  const text = Buffer.from(header, "latin1").toString("utf8");
  return text.includes("\ufffd") ? header : text;
};
