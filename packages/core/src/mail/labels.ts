import { Result } from "effect";
import * as Base64 from "effect/encoding/Base64";

/** The maximum size in bytes of a keyword that Postern writes. */
const MAX_KEYWORD_BYTES = 64;

/** The maximum number of labels shown for a message. */
const MAX_LABELS = 100;

/** The maximum length of a label that another program wrote; longer labels are not shown. */
const MAX_READ_CHARS = 255;

/** Keywords that are registered flags and not labels, in lower case (RFC 5788; RFC 9051, 2.3.2). */
const NAMED_FLAGS = new Set(["$forwarded", "$mdnsent", "$junk", "$notjunk", "$phishing"]);

/** Characters that a name cannot contain: spaces, control characters, lone surrogates, and characters that end an atom (RFC 9051, 9). */
const UNWRITABLE = /[\s\p{Cc}\p{Cs}(){%*"\\\]]/u;

/**
 * Returns the labels among a mail server's keywords or Gmail labels: decoded from modified UTF-7 (RFC 3501, 5.1.3),
 * without duplicates regardless of case, and sorted. System flags are not labels.
 */
export const labelsOf = (keywords: Iterable<string>): ReadonlyArray<string> => {
  const found = new Map<string, string>();
  for (const keyword of keywords) {
    if (keyword.startsWith("\\") || keyword.length > MAX_READ_CHARS || NAMED_FLAGS.has(keyword.toLowerCase())) continue;
    const label = decode(keyword);
    const key = foldLabel(label);
    if (key !== "" && !found.has(key) && found.size < MAX_LABELS) found.set(key, label);
  }
  return found.size === 0 ? NONE : [...found.values()].sort();
};

const NONE: ReadonlyArray<string> = [];

/** Returns the keyword of a label, in modified UTF-7; null for a name that no label can have. */
export const keywordOf = (label: string): string | null => {
  if (label === "" || UNWRITABLE.test(label) || NAMED_FLAGS.has(label.toLowerCase())) return null;
  const keyword = encode(label);
  return keyword.length > MAX_KEYWORD_BYTES ? null : keyword;
};

/** Returns the form of a label for comparisons, which ignore case. */
export const foldLabel = (label: string): string => label.toLowerCase();

const encode = (text: string): string =>
  text.replaceAll(/&|[^\x20-\x7e]+/g, (run) =>
    run === "&" ? "&-" : `&${Base64.encode(utf16Of(run)).replace(/=+$/, "").replaceAll("/", ",")}-`,
  );

/** Decodes modified UTF-7. An invalid run stays unchanged. */
const decode = (text: string): string =>
  text.replaceAll(/&([A-Za-z0-9+,]*)-/g, (run, base64: string) => {
    if (base64 === "") return "&";
    const padded = base64.replaceAll(",", "/") + "=".repeat((4 - (base64.length % 4)) % 4);
    const bytes = Result.getOrUndefined(Base64.decode(padded));
    return bytes === undefined || bytes.length % 2 === 1 ? run : textOf(bytes);
  });

const utf16Of = (text: string): Uint8Array =>
  Uint8Array.from(
    Array.from({ length: text.length * 2 }, (_, n) => (text.charCodeAt(n >> 1) >> (n % 2 ? 0 : 8)) & 255),
  );

const textOf = (bytes: Uint8Array): string =>
  String.fromCharCode(...Array.from({ length: bytes.length / 2 }, (_, n) => bytes[2 * n]! * 256 + bytes[2 * n + 1]!));
