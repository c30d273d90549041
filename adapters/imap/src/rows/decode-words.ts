import { parseEnvelope, processName } from "imapflow/lib/tools.js";

/** Decodes encoded words (RFC 2047); calls imapflow only if the text may contain some. */
export const decodeWords = (text: string): string =>
  text.includes("=?") || text.includes("\0") ? (parseEnvelope([null, { value: text }] as never).subject ?? "") : text;

/** Returns a name without the quotes some servers leave around it. */
export const unquote = (name: string): string => (name.startsWith('"') ? processName(name) : name);
