import type { MessageStructureObject } from "imapflow";
import { getStructuredParams, isUnsafeKey } from "imapflow/lib/tools.js";
import { text } from "./envelope.ts";
import { type List, MAX_NESTED, type ResponseText, unreadable, type Value } from "./ResponseText.ts";

/**
 * Reads the fields of a BODYSTRUCTURE (RFC 9051, 7.5.2) that identify attachments, with the same results as imapflow;
 * undefined for NIL. Parts of a forwarded message are left out.
 */
export const readBodyStructure = (answer: ResponseText): MessageStructureObject | undefined => {
  if (!answer.begins()) return answer.value() === null ? undefined : unreadable();
  return readPart(answer, "", 1);
};

const readPart = (answer: ResponseText, path: string, depth: number): MessageStructureObject => {
  if (!answer.begins()) return single(answer, path);
  if (depth > MAX_NESTED) unreadable();
  const childNodes: Array<MessageStructureObject> = [];
  do {
    const at = childNodes.length + 1;
    childNodes.push(readPart(answer, path === "" ? `${at}` : `${path}.${at}`, depth + 1));
  } while (answer.begins());
  const type = `multipart/${answer.text().toLowerCase()}`;
  const [parameterList, dispositionList] = answer.values();
  const read: MessageStructureObject = path === "" ? { type, childNodes } : { part: path, type, childNodes };
  setParameters(read, parameterList);
  setDisposition(read, dispositionList);
  return read;
};

const single = (answer: ResponseText, path: string): MessageStructureObject => {
  const type = `${answer.text().toLowerCase()}/${answer.text().toLowerCase()}`;
  const fields = answer.values();
  const [parameterList, id, , encoding, size] = fields;
  let at = 5;
  // Envelope, structure and lines of the forwarded message.
  if (type === "message/rfc822") at += 3;
  // The number of lines, which some servers omit.
  if (type.startsWith("text/") && !(fields.length === 9 && isList(fields[at + 1]) && !isList(fields[at + 2]))) at++;
  const read: MessageStructureObject = path === "" ? { type } : { part: path, type };
  setParameters(read, parameterList);
  if (id !== null && id !== undefined) read.id = text(id);
  read.encoding = text(encoding).toLowerCase();
  read.size = Number(text(size)) || 0;
  // The MD5 checksum is skipped.
  setDisposition(read, fields[at + 1]);
  return read;
};

const isList = (value: Value | undefined): value is List => Array.isArray(value);

const setParameters = (part: MessageStructureObject, value: Value | undefined): void => {
  if (!isEmpty(value)) part.parameters = pairs(value);
};

const setDisposition = (part: MessageStructureObject, value: Value | undefined): void => {
  if (isEmpty(value)) return;
  if (!isList(value)) return unreadable();
  const [name, parameterList] = value;
  part.disposition = text(name).toLowerCase();
  if (!isEmpty(parameterList)) part.dispositionParameters = pairs(parameterList);
};

const isEmpty = (value: Value | undefined): value is null | undefined => value === null || value === undefined;

/** Converts alternating names and values. imapflow parses encoded and continued values (RFC 2231, RFC 2047). */
const pairs = (list: Value): Record<string, string> => {
  if (!isList(list)) return unreadable();
  const read: Record<string, string> = {};
  for (let at = 0; at + 1 < list.length; at += 2) {
    const [name, value] = [text(list[at]).toLowerCase(), text(list[at + 1])];
    if (isSpecial(name, value)) return getStructuredParams(list.map((each) => ({ value: text(each) })) as never);
    read[name] = value;
  }
  return read;
};

const isSpecial = (name: string, value: string): boolean =>
  name.includes("*") ||
  value.includes("=?") ||
  value.includes("\0") ||
  (name === "filename" && value.includes("'")) ||
  isUnsafeKey(name);
