import { ODD_VALUES, type WireRequest } from "./hostile.ts";
import type { Random } from "./random.ts";
import type { MadeRequest } from "./requests-of.ts";

/** A request to a path with its parameters filled in. */
export const wireOf = (token: string, path: string, { operation, query, headers, body }: MadeRequest): WireRequest => {
  const given = Object.entries(query).map(([name, value]): [string, string] => [name, textOf(value)]);
  const isForm = operation.media === "multipart/form-data";
  return {
    method: operation.method,
    path: given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`,
    headers: {
      authorization: `Bearer ${token}`,
      ...(isForm ? { "content-type": "multipart/form-data; boundary=b" } : {}),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, inHeader(textOf(value))])),
    },
    body: isForm ? FORM : body === undefined ? undefined : JSON.stringify(body),
  };
};

const FORM = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\ntext\r\n--b--\r\n';

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value)).toWellFormed();

/** Returns the text with the characters that headers may contain. */
const inHeader = (text: string): string => text.replaceAll(/[^\t\u0020-\u007e]/g, "?").slice(0, 4_000);

/** Returns the request with one fault: a wrong value, an extra or a missing one. */
export const nearly = (chance: Random, request: MadeRequest): MadeRequest => {
  const { query, headers, body } = request;
  const places = [
    ...(body === undefined ? [] : ["body", "body", "body"]),
    ...(Object.keys(query).length === 0 ? [] : ["query", "query"]),
    ...(Object.keys(headers).length === 0 ? [] : ["headers"]),
    "unknown",
  ];
  switch (chance.one(places)) {
    case "body":
      return { ...request, body: withFault(chance, body) };
    case "query":
      return { ...request, query: shortened(withFault(chance, query)) };
    case "headers":
      return { ...request, headers: withFault(chance, headers) as MadeRequest["headers"] };
    default:
      return chance.next() < 0.5 || typeof body !== "object"
        ? { ...request, query: { ...query, [`zz${chance.below(9)}`]: "1" } }
        : { ...request, body: { ...body, [`zz${chance.below(9)}`]: 1 } };
  }
};

/** Shortens the values of a query, because a request line is at most 16 KiB long. */
const shortened = (query: unknown): MadeRequest["query"] =>
  Object.fromEntries(Object.entries(query as object).map(([name, value]) => [name, textOf(value).slice(0, 1_500)]));

const withFault = (chance: Random, value: unknown): unknown => {
  const isDeep = typeof value === "object" && value !== null && Object.keys(value).length > 0;
  if (!isDeep) return chance.one(ODD_VALUES);
  const name = chance.one(Object.keys(value));
  const copy = structuredClone(value) as Record<string, unknown>;
  const way = chance.next();
  if (way < 0.15) delete copy[name];
  else if (way < 0.3) copy[`${name}_`] = copy[name];
  else copy[name] = way < 0.65 ? withFault(chance, copy[name]) : chance.one(ODD_VALUES);
  return copy;
};
