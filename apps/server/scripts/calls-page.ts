import type { Operation } from "../src/embedded/operation-table.ts";

/** The part of an OpenAPI document that the page has. */
interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly summary: string }>>>>;
}

const BEGINNING = `# Direct calls

<!-- Written by \`npm run openapi\` from the contract; change that instead. -->

The functions of an embedded service for the operations of the API, as [Embedding](../guides/embedding.md) describes them. The
reference of an operation, at \`/docs\` of a running service and in [openapi.json](../openapi.json), has its fields and errors; the
declarations of \`@postern/server\` have the types. Beside these there are \`start\`, \`stop\`, \`node\`, \`fetch\`, \`signIn\` and \`events\`.

| call | does | operation |
| --- | --- | --- |
`;

/** What a call takes after the ids of the path. */
const ARGUMENTS: Readonly<Record<string, string>> = { payload: "body", header: "headers" };

/** Returns the page that lists all direct calls. */
export const callsPage = ({ paths }: Contract, operations: ReadonlyArray<Operation>): string => {
  const rows = operations.map(({ group, name, method, path, takes }) => {
    const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, id]) => id!);
    const given = ["address", ...ids, ...takes.map((part) => ARGUMENTS[part] ?? part)].join(", ");
    const call = `postern.${group}${name === "" ? "" : `.${name}`}(${given})`;
    return `| \`${call}\` | ${paths[path]![method.toLowerCase()]!.summary} | \`${method} ${path}\` |\n`;
  });
  return BEGINNING + rows.join("");
};
