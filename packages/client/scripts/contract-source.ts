import { isOfServices } from "../src/calls/is-of-services.ts";
import type { Call } from "./calls.ts";
import { interfaceOf } from "./call-types.ts";
import type { Document, Documented, Schema } from "./document.ts";
import { doc, objectOf, typeOf } from "./type-text.ts";

/** The types of events, each with its meaning and the schema of its `data`. */
export type EventSchemas = Readonly<Record<string, { readonly meaning: string; readonly data: Schema }>>;

export const WRITTEN = "// Written by `npm run openapi` from the contract; change that instead.\n";

const isProblem = (name: string): boolean => /^[a-z]/.test(name);

const routeOf = ([path, method, documented]: readonly [string, string, Documented]): string => {
  const { parameters, requestBody, responses, summary } = documented;
  const part = (name: string, place: string, unset: string): ReadonlyArray<string> => {
    const given = parameters.filter((one) => one.in === place);
    if (given.length === 0) return [];
    const required = given.filter((one) => one.required).map((one) => one.name);
    const all = Object.fromEntries(given.map((one) => [one.name, one.schema]));
    return [`readonly ${name}${required.length === 0 ? "?" : ""}: ${objectOf(all, required, unset)};`];
  };
  const body = Object.values(requestBody?.content ?? {})[0];
  const answer = Object.entries(responses).find(([status]) => status < "300")?.[1].content?.["application/json"];
  const lines = [
    ...part("params", "path", ""),
    ...part("query", "query", " | undefined"),
    ...part("headers", "header", ""),
    ...(body === undefined
      ? []
      : [`readonly payload${requestBody?.required === false ? "?" : ""}: ${typeOf(body.schema)};`]),
    `readonly answer: ${answer === undefined ? "Uint8Array<ArrayBuffer>" : typeOf(answer.schema)};`,
  ];
  const route = `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`;
  return `${doc(`${summary}.`)}readonly ${JSON.stringify(route)}: {\n${lines.join("\n")}\n};`;
};

/** The contract has this record without the types of events, because it would repeat all of them. */
const CHANGE_EVENT = `/** An event of the feed: \`event\` tells which \`data\` it has. A newer service may have events that this version does not list. */
export type ChangeEvent = {
readonly [Type in keyof EventData]: {
readonly id: string;
readonly event: Type;
/** ISO 8601 UTC. */
readonly timestamp: string;
/** The account that the event is about. */
readonly account: { readonly id: string; readonly email: string } | (Type extends "webhook.disabled" ? null : never);
readonly data: EventData[Type];
};
}[keyof EventData];
`;

/** Returns the declarations of all types of the clients. */
export const contractSource = (document: Document, calls: ReadonlyArray<Call>, events: EventSchemas): string => {
  const { schemas } = document.components;
  const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, documented]) => routeOf([path, method, documented])),
  );
  const records = Object.entries(schemas)
    .filter(([name]) => !isProblem(name) && name !== "ChangeEvent")
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, schema]) => {
      const type = typeOf(schema);
      return `${doc(schema.description)}${type.startsWith("{") ? `export interface ${name} ${type}` : `export type ${name} = ${type};`}\n`;
    });
  const codes = Object.keys(schemas).filter(isProblem).toSorted();
  const data = Object.entries(events).map(
    ([name, { meaning, data: schema }]) => `${doc(meaning)}readonly ${JSON.stringify(name)}: ${typeOf(schema)};`,
  );
  const ofAccounts = calls.filter(({ of }) => of === "account");
  const ofServices = calls.filter(isOfServices);
  return [
    `/* oxlint-disable max-lines */\n${WRITTEN}`,
    `import type { CallOptions } from "./CallOptions.ts";\nimport type { FileToUpload } from "./FileToUpload.ts";\nimport type { Listing } from "./Listing.ts";\n`,
    interfaceOf("AccountCalls", "The operations on one account.", ofAccounts),
    interfaceOf("ServiceCalls", "The operations of an application or the operator on all accounts.", ofServices),
    `/** Every route with its request and its answer. */\nexport interface Routes {\n${routes.join("\n")}\n}\n`,
    `/** The \`data\` of each type of event. */\nexport interface EventData {\n${data.join("\n")}\n}\n`,
    CHANGE_EVENT,
    `/** Codes of problems; \`offline\` is no answer at all, and \`unknown\` an answer that is not the service's. */\nexport type ProblemCode =\n  | ${[...codes, "offline", "unknown"].map((code) => JSON.stringify(code)).join("\n  | ")};\n`,
    ...records,
  ].join("\n");
};

/** Returns the table of operations. */
export const tableSource = (calls: ReadonlyArray<Call>): string => {
  const rows = calls.map(({ call, own, asks, of, body, headers, answer }) =>
    JSON.stringify({ call, own, asks, of, body, headers, answer }),
  );
  return `${WRITTEN}import type { Operation } from "./Operation.ts";

/** The operations that are functions of clients. */
export const OPERATIONS: ReadonlyArray<Operation> = [
${rows.map((row) => `  ${row},`).join("\n")}
];
`;
};

/** Returns the declarations of the calls of an embedded service, whose records the client declares. */
export const embeddedSource = (document: Document, calls: ReadonlyArray<Call>): string => {
  const own = calls.filter(({ of }) => of !== "service");
  const body = interfaceOf("Operations", "The operations for the account with an address.", own, ["address: string"]);
  const text = body.replaceAll(/\/\*\*.*?\*\//gs, "");
  const named = [...Object.keys(document.components.schemas), "CallOptions", "FileToUpload", "Listing"]
    .filter((name) => new RegExp(`\\b${name}\\b`).test(text) && !isProblem(name))
    .toSorted();
  const names = named.join(", ");
  return `/* oxlint-disable max-lines */\n${WRITTEN}import type { ${names} } from "@postern/client";\n\nexport type { ${names} } from "@postern/client";\n\n${body}`;
};
