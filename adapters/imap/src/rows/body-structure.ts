import type { MessageStructureObject } from "imapflow";
import { getStructuredParams, isUnsafeKey } from "imapflow/lib/tools.js";
import { text } from "./envelope.ts";
import { type List, unreadable, type Value } from "./ResponseText.ts";

/**
 * Reads the fields of a BODYSTRUCTURE (RFC 9051, 7.5.2) that identify attachments, with the same results as imapflow.
 * Parts of a forwarded message are left out.
 */
export const readBodyStructure = (fields: List, path: string = ""): MessageStructureObject =>
  Array.isArray(fields[0]) ? multipart(fields, path) : single(fields, path);

const multipart = (fields: List, path: string): MessageStructureObject => {
  const childNodes: Array<MessageStructureObject> = [];
  let at = 0;
  for (; ; at++) {
    const child = fields[at];
    if (!isList(child)) break;
    childNodes.push(readBodyStructure(child, path === "" ? `${at + 1}` : `${path}.${at + 1}`));
  }
  const type = `multipart/${text(fields[at]).toLowerCase()}`;
  return { ...part(path), type, childNodes, ...parameters(fields[at + 1]), ...disposition(fields[at + 2]) };
};

const single = (fields: List, path: string): MessageStructureObject => {
  const type = `${text(fields[0]).toLowerCase()}/${text(fields[1]).toLowerCase()}`;
  const [, , parameterList, id, , encoding, size] = fields;
  let at = 7;
  // Envelope, structure and lines of the forwarded message.
  if (type === "message/rfc822") at += 3;
  // The number of lines, which some servers omit.
  if (type.startsWith("text/") && !(fields.length === 11 && isList(fields[at + 1]) && !isList(fields[at + 2]))) at++;
  return {
    ...part(path),
    type,
    ...parameters(parameterList),
    ...(id === null || id === undefined ? {} : { id: text(id) }),
    encoding: text(encoding).toLowerCase(),
    size: Number(text(size)) || 0,
    // Skips the MD5 checksum.
    ...disposition(fields[at + 1]),
  };
};

const part = (path: string) => (path === "" ? {} : { part: path });

const isList = (value: Value | undefined): value is List => Array.isArray(value);

const parameters = (value: Value | undefined): Pick<MessageStructureObject, "parameters"> =>
  isEmpty(value) ? {} : { parameters: pairs(value) };

const disposition = (
  value: Value | undefined,
): Pick<MessageStructureObject, "disposition" | "dispositionParameters"> => {
  if (isEmpty(value)) return {};
  if (!isList(value)) return unreadable();
  const [name, parameterList] = value;
  return {
    disposition: text(name).toLowerCase(),
    ...(isEmpty(parameterList) ? {} : { dispositionParameters: pairs(parameterList) }),
  };
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
