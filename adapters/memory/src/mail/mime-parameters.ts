import { decodeWords } from "postal-mime";

/** A structured field such as Content-Type: its value and its parameters' names in lower case. */
export interface StructuredField {
  readonly value: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** `name=`, or a segment of an RFC 2231 parameter: `name*=`, `name*0=`, `name*0*=`. */
const PARAMETER = /;\s*([^\s=;"*]+)(?:\*(\d+))?(\*)?\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]*))/g;

interface Segment {
  readonly name: string;
  readonly at: number;
  readonly encoded: boolean;
  readonly text: string;
}

/**
 * Parses a field, with parameters in segments and other charsets (RFC 2231) and, against the standard, encoded words.
 * postal-mime decodes the words; it exports no parser of parameters.
 */
export const structuredField = (text: string): StructuredField => {
  const segments = Array.from(text.matchAll(PARAMETER), ([, name, at, star, quoted, plain]): Segment => {
    const text = quoted === undefined ? plain! : quoted.replaceAll(/\\(.)/g, "$1");
    return { name: name!.toLowerCase(), at: Number(at ?? 0), encoded: star !== undefined, text };
  });
  const byName = Map.groupBy(segments, ({ name }) => name);
  const withoutComments = text.split(";")[0]!.replaceAll(/\([^()]*\)|\s/g, "");
  return {
    value: withoutComments.toLowerCase(),
    parameters: new Map(Array.from(byName, ([name, parts]) => [name, valueOf(parts)])),
  };
};

/**
 * Returns the value of a parameter. If the field has the parameter in both forms, the encoded form counts (RFC 6266,
 * 4.3).
 */
const valueOf = (parts: ReadonlyArray<Segment>): string => {
  const ordered = parts.some(({ at }) => at > 0)
    ? parts.toSorted((one, other) => one.at - other.at)
    : [parts.find(({ encoded }) => encoded) ?? parts[0]!];
  if (!ordered.some(({ encoded }) => encoded)) return decodeWords(ordered.map(({ text }) => text).join(""));
  const escapes = ordered.map(({ encoded, text }) => (encoded ? text : encodeURIComponent(text))).join("");
  const [, charset, rest] = /^([^']*)'[^']*'(.*)$/s.exec(escapes) ?? ["", "", escapes];
  return decodeWords(`=?${charset || "utf-8"}?Q?${quotedOf(rest!)}?=`);
};

/** Converts percent escapes to the escapes of an encoded word (RFC 2047, 4.2). */
const quotedOf = (escapes: string): string =>
  escapes
    .replaceAll(/[=?_\s]/g, (character) => `=${character.charCodeAt(0).toString(16).padStart(2, "0")}`)
    .replaceAll(/%(?=[\da-f]{2})/gi, "=");
