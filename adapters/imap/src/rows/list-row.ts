import type { Untagged } from "../imapflow-internals.ts";
import { ResponseText, unreadable, type Value } from "./ResponseText.ts";

const HEAD = /\* (LIST|STATUS) (?! )/y;
const SPACE = / (?! )/y;

/**
 * A LIST or STATUS answer as imapflow's own parser gives it, in a fraction of the time; none where it is written in a way
 * that is left to that parser. Of a token only its value is kept: no caller needs the form it was written in.
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
