import { isOfServices, type Operation } from "@postern/client/operations";

/** The part of an OpenAPI document that the page shows. */
interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Documented>>>>;
}
interface Documented {
  readonly summary: string;
  readonly security: ReadonlyArray<Readonly<Record<string, ReadonlyArray<string>>>>;
  readonly parameters?: ReadonlyArray<{ readonly name: string; readonly in: string }>;
  readonly responses: Readonly<Record<string, { readonly description?: string }>>;
}

/** A problem that at least this number of operations may answer is named once, above the table. */
const MANY = 25;

const problemsOf = ({ responses }: Documented): ReadonlyArray<string> =>
  Object.values(responses).flatMap(({ description = "" }) =>
    [...description.matchAll(/`(\w+)`:/g)].map(([, code]) => code!),
  );

/** Returns the scopes of an operation. A key needs one of them; a session needs none. */
const scopesOf = ({ security }: Documented): string => {
  if (security.length === 0) return "none";
  const scopes = security.flatMap(({ bearer = [] }) => bearer);
  return scopes.length === 0 ? "a session" : scopes.map((scope) => `\`${scope}\``).join(" or ");
};

/** The object on which a call of a client with a key begins. */
const BEGINS = { account: "ada", service: "client" };

const parametersOf = ({ asks, body, takesOptions }: Operation & { readonly takesOptions: boolean }) => [
  ...[...asks.matchAll(/\{(\w+)\}/g)].map(([, id]) => id!),
  ...(body === undefined ? [] : [body === "file" ? "file" : "body"]),
  ...(takesOptions ? ["options"] : []),
];

/** Returns a call by the clients, and by an embedded service. */
const callsOf = (operation: Operation, { parameters = [] }: Documented): readonly [string, string] => {
  const takesOptions = parameters.some(({ name, in: place }) => place !== "path" && name !== "postern-account");
  const given = parametersOf({ ...operation, takesOptions });
  const name = operation.own === true ? operation.call.split(".").slice(0, -1).join(".") : operation.call;
  const { of } = operation;
  const begins =
    of === "session" ? [] : [BEGINS[of], ...(of === "account" && isOfServices(operation) ? ["client"] : [])];
  const client = begins.map((start) => `\`${start}.${name}(${given.join(", ")})\``).join(", ");
  const address = of === "service" ? [] : ["address"];
  return [client, `\`${name}(${[...address, ...given].join(", ")})\``];
};

/** Returns which part of the answer a call returns. */
const returned = ({ answer }: Operation): string => {
  const [kind, member] = answer.split(" ");
  if (kind === "bytes") return "bytes";
  return kind === "pages" ? `listing of \`${member}\`` : member === undefined ? "the answer" : `\`${member}\``;
};

const listed = (codes: ReadonlyArray<string>): string => codes.map((code) => `\`${code}\``).join(", ");

/** Returns the page that has a line for each operation. */
export const operationsPage = ({ paths }: Contract, calls: ReadonlyArray<Operation>): string => {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, documented]) => ({ asks: `${method.toUpperCase()} ${path}`, documented })),
  );
  const counts = Map.groupBy(
    operations.flatMap(({ documented }) => problemsOf(documented)),
    (code) => code,
  );
  const isCommon = (code: string) => counts.get(code)!.length >= MANY;
  const rows = operations.map(({ asks, documented }) => {
    const call = calls.find((one) => one.asks === asks);
    const problems = listed(problemsOf(documented).filter((code) => !isCommon(code)));
    const [client, embedded] = call === undefined ? ["", ""] : callsOf(call, documented);
    const result = call === undefined ? "" : returned(call);
    const columns = [`\`${asks}\``, documented.summary, scopesOf(documented), client, embedded, result, problems];
    return `| ${columns.join(" | ")} |\n`;
  });
  return `# Operations

<!-- Written by \`npm run openapi\` from the contract; change that instead. -->

This page lists each operation with its scopes (a key needs one of them), the functions that call it, the result of both
functions, and the problems that it may answer. \`client\` is the function of the [clients](../guides/clients.md), where \`ada\` is
\`client.account(address)\`; in Python the name of the function is in snake_case. \`embedded\` is the function of an
[embedded service](../guides/embedding.md), such as \`postern.folders(address)\`; an embedded service also has \`start\`, \`stop\`,
\`node\`, \`fetch\`, \`signIn\` and \`events\`. A function returns one of these: a member of the answer; the answer without \`ok\`;
all bytes of a file, as \`Uint8Array\` or in Python \`bytes\`; or a listing. A listing iterates over the items of all pages. One
page, with all its members, is \`await ada.inbox()\` in TypeScript and with asyncio, and \`ada.inbox().page()\` in Python without
asyncio. \`/docs\` of a running service has the fields and examples of each operation, and \`/openapi.json\` has the whole
description. [Errors](errors.md) says what to do about a problem.

Many operations may answer these problems, so the table leaves them out: ${listed([...counts.keys()].filter(isCommon).toSorted())}.

| operation | does | scopes | client | embedded | returns | problems |
| --- | --- | --- | --- | --- | --- | --- |
${rows.join("")}`;
};
