import type { Untagged } from "../wire/imapflow-internals.ts";
import { ResponseText, unreadable, type Value } from "./ResponseText.ts";

const HEAD = /\* (LIST|STATUS) (?! )/y;
const SPACE = / (?! )/y;

/** Returns whether a response is a row of a listing. */
export const isListed = (payload: Buffer): boolean => /^\* (LIST|STATUS) /i.test(payload.toString("latin1", 0, 9));

/**
 * Parses a LIST or STATUS response like imapflow's parser, in a fraction of the time. Undefined for syntax that
 * imapflow must parse. Tokens keep only their value, because no caller needs the notation.
 */
export const readListRow = (payload: Buffer, literals: ReadonlyArray<Buffer>): Untagged | undefined => {
  try {
    return read(new ResponseText(payload, literals));
  } catch {
    return undefined;
  }
};

const read = (answer: ResponseText): Untagged => {
  const command = answer.match(HEAD)[1]!;
  const values = [answer.value()];
  for (let more = command === "LIST" ? 2 : 1; more > 0; more--) {
    answer.match(SPACE);
    values.push(answer.value());
  }
  const [name, items] = values;
  if (command === "STATUS" && (typeof name !== "string" || !Array.isArray(items))) unreadable();
  return answer.isAtEnd() ? { command, attributes: values.map(tokenOf) } : unreadable();
};

const tokenOf = (value: Value): Untagged["attributes"][number] =>
  value === null ? null : typeof value === "string" ? { value } : value.map(tokenOf);
