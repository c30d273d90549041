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
 * Returns whether a program wrote the message, such as an automatic reply, a report or a bulk mailing. An automatic
 * answer to such a message could start a loop (RFC 3834, 2). Mail of a mailing list is not automatic, because people
 * write it.
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

/** Returns whether a program wrote the message with this header, as `isAutomatic` decides. */
export const isAutomaticHeader = (header: Uint8Array): boolean => {
  const fields = latin1Text(header).matchAll(FIELD);
  return isAutomatic([...fields].map(([, name, value]) => [name!, value!.replaceAll(/\r?\n/g, "")]));
};
