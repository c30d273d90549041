import { latin1Text } from "../shared/neighbours.ts";
import { type HeaderField, headerOf } from "./ParsedMessage.ts";

/** The fields that {@link isAutomatic} reads. */
export const AUTOMATIC_FIELDS: ReadonlyArray<string> = [
  "Auto-Submitted",
  "Precedence",
  "X-Auto-Response-Suppress",
  "Return-Path",
];

/**
 * Whether a program wrote the message, so that an answer of another program could start a loop (RFC 3834, 2): a note of
 * absence, a report, a bulk mailing. The mail of a mailing list is not: people write it.
 */
export const isAutomatic = (headers: ReadonlyArray<HeaderField>): boolean => {
  const keyword = (name: string) => /^[^\s;(]*/.exec(headerOf(headers, name).toLowerCase())![0];
  const [submitted, suppressed] = [keyword("Auto-Submitted"), keyword("X-Auto-Response-Suppress")];
  return (
    (submitted !== "" && submitted !== "no") ||
    ["bulk", "junk", "auto_reply"].includes(keyword("Precedence")) ||
    (suppressed !== "" && suppressed !== "none") ||
    /^<\s*>$/.test(headerOf(headers, "Return-Path"))
  );
};

const FIELD = new RegExp(`^(${AUTOMATIC_FIELDS.join("|")})[ \\t]*:((?:[^\\r\\n]|\\r?\\n[ \\t])*)`, "gim");

/** Whether the message with this header is automatic. */
export const isAutomaticHeader = (header: Uint8Array): boolean => {
  const fields = latin1Text(header).matchAll(FIELD);
  return isAutomatic([...fields].map(([, name, value]) => [name!, value!.replaceAll(/\r?\n/g, "")]));
};
