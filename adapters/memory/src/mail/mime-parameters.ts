import { decodeWords } from "postal-mime";

/** A structured field such as Content-Type: its value in lower case, and its parameters by name in lower case. */
export interface StructuredField {
  readonly value: string;
  readonly parameters: ReadonlyMap<string, string>;
}

const PARAMETER = /;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]*))/g;

/** A segment of an RFC 2231 parameter: `name*`, `name*0`, `name*0*`. */
const SEGMENT = /^([^*]+)(?:\*(\d+))?(\*)?$/;

/** Reads a field, with parameters in parts and other charsets (RFC 2231) and, against the standard, encoded words. */
export const structuredField = (text: string): StructuredField => {
  const segments = new Map<string, Array<{ readonly at: number; readonly encoded: boolean; readonly text: string }>>();
  for (const [, key, quoted, plain] of text.matchAll(PARAMETER)) {
    const [, name, at, star] = SEGMENT.exec(key!.toLowerCase()) ?? [];
    if (name === undefined) continue;
    const segment = {
      at: Number(at ?? 0),
      encoded: star !== undefined,
      text: quoted === undefined ? plain! : quoted.replaceAll(/\\(.)/g, "$1"),
    };
    segments.set(name, [...(segments.get(name) ?? []), segment]);
  }
  const parameters = new Map<string, string>();
  for (const [name, parts] of segments) {
    // A name given in both forms is meant by the encoded one (RFC 6266, 4.3).
    const whole = parts.find(({ encoded, at }) => encoded && at === 0);
    const isInParts = parts.some(({ at }) => at > 0);
    const ordered = whole !== undefined && !isInParts ? [whole] : parts.toSorted((one, other) => one.at - other.at);
    if (!ordered.some(({ encoded }) => encoded)) {
      parameters.set(name, decodeWords(ordered.map((part) => part.text).join("")));
      continue;
    }
    const [, charset, rest] = /^([^']*)'[^']*'(.*)$/s.exec(ordered[0]!.text) ?? ["", "utf-8", ordered[0]!.text];
    const texts = [rest!, ...ordered.slice(1).map((part) => part.text)];
    const bytes = texts.map((part, n) => (ordered[n]!.encoded ? percentBytes(part) : Buffer.from(part)));
    parameters.set(name, decode(Buffer.concat(bytes), charset!));
  }
  const value = text
    .split(";")[0]!
    .replaceAll(/\([^()]*\)|\s/g, "")
    .toLowerCase();
  return { value, parameters };
};

const percentBytes = (text: string): Buffer =>
  Buffer.from(
    text.replaceAll(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  );

const decode = (bytes: Uint8Array, charset: string): string => {
  try {
    return new TextDecoder(charset || "utf-8").decode(bytes);
  } catch {
    return new TextDecoder("utf-8").decode(bytes);
  }
};
