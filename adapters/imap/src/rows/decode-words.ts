import { parseEnvelope, processName } from "imapflow/lib/tools.js";

/** Text with its encoded words decoded (RFC 2047), by imapflow where there may be any. */
export const decodeWords = (text: string): string =>
  text.includes("=?") || text.includes("\0") ? (parseEnvelope([null, { value: text }] as never).subject ?? "") : text;

/** A name without the quotes some servers leave around it. */
export const unquoted = (name: string): string => (name.startsWith('"') ? processName(name) : name);
