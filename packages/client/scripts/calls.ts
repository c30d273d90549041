import type { Operation } from "../src/contract/Operation.ts";
import { type Document, type Documented, nameOf, type Schema } from "./document.ts";
import { objectOf, typeOf } from "./type-text.ts";

/** An operation as the clients call it. */
export interface Call extends Operation {
  readonly documented: Documented;
  /** The arguments with their types. */
  readonly arguments: ReadonlyArray<string>;
  /** What the promise resolves with. */
  readonly result: string;
  /** The items of a listing. */
  readonly item: string | undefined;
}

/** Operations that are no calls. A direct call has no session, and the stream of events is not one answer. */
const LEFT_OUT = new Set(["auth.logout", "auth.session", "events.stream"]);

/** Calls whose names differ from those of the contract's handlers. */
const RENAMED: Readonly<Record<string, string>> = {
  "accounts.create": "accounts.add",
  "accounts.change": "accounts.update",
};

/** `client.account(address)` sets this header for all calls of an account. */
const ACCOUNT = "postern-account";

/** Options whose names are not the header's name in camelCase. */
const OPTION_OF: Readonly<Record<string, string>> = { "if-match": "version" };

const optionOf = (name: string): string =>
  OPTION_OF[name] ?? name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

const ownerOf = ({ security, parameters }: Documented): Operation["of"] | undefined => {
  if (parameters.some(({ name }) => name === ACCOUNT)) return "account";
  if (security.some((way) => "cookie" in way)) return "session";
  return security.length === 0 ? undefined : "service";
};

const callName = (operationId: string): string =>
  (RENAMED[operationId] ?? operationId).replace(/^oauthApps\./, "oauth.apps.");

const argumentsOf = ({ parameters, requestBody }: Documented): ReadonlyArray<string> => {
  const given = parameters.filter(({ name, in: place }) => place !== "path" && name !== ACCOUNT);
  const named = given.map(({ name, schema }): [string, Schema] => [optionOf(name), schema]);
  const required = given.filter((one) => one.required).map(({ name }) => optionOf(name));
  const [type, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const payload =
    body === undefined
      ? []
      : type === "multipart/form-data"
        ? ["file: FileToUpload | File"]
        : [`payload${requestBody?.required === false ? "?" : ""}: ${typeOf(body.schema)}`];
  const options = named.length === 0 ? "" : `${objectOf(Object.fromEntries(named), required, " | undefined")} & `;
  return [
    ...parameters.filter((one) => one.in === "path").map(({ name }) => `${name}: string`),
    ...payload,
    `options${required.length === 0 ? "?" : ""}: ${options}CallOptions`,
  ];
};

/** Returns the operations of a document that are functions of clients. */
export const callsOf = ({ paths, components: { schemas } }: Document): ReadonlyArray<Call> => {
  const resolved = (schema: Schema): Schema => (schema.$ref === undefined ? schema : schemas[nameOf(schema.$ref)]!);

  /** Returns the type of an answer without `ok`. If one other member remains, it is the result. */
  const answerOf = ({ responses }: Documented) => {
    const content = Object.entries(responses).find(([status]) => status < "300")?.[1].content ?? {};
    const json = content["application/json"];
    if (json === undefined) return { answer: "bytes", result: "Uint8Array<ArrayBuffer>", item: undefined };
    const { properties = {}, required = [] } = resolved(json.schema);
    const members = Object.entries(properties).filter(([name, { type }]) => name !== "ok" && type !== "null");
    const [only, ...others] = members;
    if (only === undefined) return { answer: "nothing", result: "void", item: undefined };
    if (others.length === 0) return { answer: `member ${only[0]}`, result: typeOf(only[1]), item: undefined };
    const rest = Object.fromEntries(members);
    const items = "nextCursor" in rest ? ["emails", "data"].find((name) => name in rest) : undefined;
    return {
      answer: items === undefined ? "members" : `pages ${items}`,
      result: objectOf(rest, required),
      item: items === undefined ? undefined : typeOf(resolved(rest[items]!).items ?? {}),
    };
  };

  const names = Object.values(paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => callName(operationId)),
  );
  /** Whether a call is made on its group itself: it has the group's name, or lists the group's items. */
  const isOwn = (call: string): boolean => {
    const [group, name] = call.split(".").slice(-2);
    return name === group || (name === "list" && !names.some((one) => one.endsWith(`${group}.${group}`)));
  };

  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, documented]): ReadonlyArray<Call> => {
      const of = ownerOf(documented);
      if (of === undefined || LEFT_OUT.has(documented.operationId)) return [];
      const body = Object.keys(documented.requestBody?.content ?? {})[0];
      const headers = documented.parameters.filter(({ name, in: place }) => place === "header" && name !== ACCOUNT);
      const call = callName(documented.operationId);
      return [
        {
          call,
          ...(isOwn(call) ? { own: true } : {}),
          asks: `${method.toUpperCase()} ${path}`,
          of,
          ...(body === undefined ? {} : { body: body === "multipart/form-data" ? "file" : "json" }),
          ...(headers.length === 0
            ? {}
            : { headers: Object.fromEntries(headers.map(({ name }) => [optionOf(name), name])) }),
          documented,
          arguments: argumentsOf(documented),
          ...answerOf(documented),
        },
      ];
    }),
  );
};
