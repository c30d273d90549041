import type { Operation } from "../src/embedded/operation-table.ts";

/** The part of an OpenAPI document that the page has. */
interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Documented>>>>;
}
interface Documented {
  readonly summary: string;
  readonly security: ReadonlyArray<Readonly<Record<string, ReadonlyArray<string>>>>;
  readonly responses: Readonly<Record<string, { readonly description?: string }>>;
}

/** Problems that so many operations have are named once. */
const MANY = 25;

/** What a call takes after the ids of the path. */
const ARGUMENTS: Readonly<Record<string, string>> = { payload: "body", header: "headers" };

const problemsOf = ({ responses }: Documented): ReadonlyArray<string> =>
  Object.values(responses).flatMap(({ description = "" }) =>
    [...description.matchAll(/`(\w+)`:/g)].map(([, code]) => code!),
  );

/** The scopes of which a key needs one; a session needs none. */
const scopesOf = ({ security }: Documented): string => {
  if (security.length === 0) return "none";
  const scopes = security.flatMap(({ bearer = [] }) => bearer);
  return scopes.length === 0 ? "a session" : scopes.map((scope) => `\`${scope}\``).join(" or ");
};

const callOf = ({ call, asks, takes }: Operation): string => {
  const ids = [...asks.matchAll(/\{(\w+)\}/g)].map(([, id]) => id!);
  return `\`${call}(${["address", ...ids, ...takes.map((part) => ARGUMENTS[part] ?? part)].join(", ")})\``;
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
    return `| \`${asks}\` | ${documented.summary} | ${scopesOf(documented)} | ${call === undefined ? "" : callOf(call)} | ${problems} |\n`;
  });
  return `# Operations

<!-- Written by \`npm run openapi\` from the contract; change that instead. -->

Each operation with the scopes of which a service key needs one, the function that calls it in an
[embedded service](../guides/embedding.md) (\`postern.folders(address)\`), and the problems that it may answer. \`/docs\` of a running
service has its fields and examples, \`/openapi.json\` the whole description; [errors](errors.md) says what to do about a problem.
Beside the functions of operations there are \`start\`, \`stop\`, \`node\`, \`fetch\`, \`signIn\` and \`events\`.

These problems are common, and not repeated: ${listed([...counts.keys()].filter(isCommon).toSorted())}.

| operation | does | scopes | call | problems |
| --- | --- | --- | --- | --- |
${rows.join("")}`;
};
