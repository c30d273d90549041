import type { SmtpReply } from "@postern/core/send";

const MAX_TEXT_CHARS = 500;

/** Parses a reply of one or more lines (RFC 5321, 4.2.1; RFC 2034) and limits the length of its text. */
export const smtpReply = (response: string): SmtpReply => {
  const lines = response.split(/\r?\n/).map((line) => line.replace(/^\d{3}[ -]?/, ""));
  const enhanced = /^([245]\.\d{1,3}\.\d{1,3})(?=\s|$)/.exec(lines[0] ?? "")?.[1] ?? null;
  const text = lines
    .map((line) => (enhanced !== null && line.startsWith(enhanced) ? line.slice(enhanced.length) : line))
    .join(" ")
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .trim();
  return { code: Number(response.slice(0, 3)) || 0, enhanced, text: text.slice(0, MAX_TEXT_CHARS).toWellFormed() };
};
