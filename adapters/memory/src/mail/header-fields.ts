/** A MIME entity cut in two; bytes as the characters of the same numbers. */
export interface Entity {
  readonly header: string;
  readonly body: string;
}

/** Cuts an entity at its first empty line; without one it is all header. */
export const splitEntity = (text: string): Entity => {
  if (text.startsWith("\r\n")) return { header: "", body: text.slice(2) };
  const end = text.indexOf("\r\n\r\n");
  return end < 0 ? { header: text, body: "" } : { header: text.slice(0, end), body: text.slice(end + 4) };
};

const FIELD = /^([\x21-\x39\x3b-\x7e]+)[ \t]*:([^\r\n]*(?:\r\n[ \t][^\r\n]*)*)/gm;

const LISTS = new Set(["from", "to", "cc"]);

/**
 * The fields of a header by their names in lower case, unfolded and in Unicode. Where one is there several times,
 * addresses add up and of the others the last counts, as Dovecot has it.
 */
export const headerFields = (header: string): ReadonlyMap<string, string> => {
  const fields = new Map<string, string>();
  for (const [, given, value] of unicode(header).matchAll(FIELD)) {
    const name = given!.toLowerCase();
    const before = LISTS.has(name) ? fields.get(name) : undefined;
    fields.set(name, before === undefined ? unfold(value!) : `${before}, ${unfold(value!)}`);
  }
  return fields;
};

const unfold = (value: string): string => value.replaceAll("\r\n", "").trim();

/** Headers are UTF-8 (RFC 6532); what is not may be anything and is taken for Latin-1. */
const unicode = (header: string): string => {
  if (/^[\0-\x7f]*$/.test(header)) return header;
  const text = Buffer.from(header, "latin1").toString("utf8");
  return text.includes("\ufffd") ? header : text;
};
