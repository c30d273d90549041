/** The guards of `npm run check` that have a planted violation. */
export type GuardName =
  | "lint"
  | "cruise"
  | "types"
  | "unused"
  | "requests"
  | "citations"
  | "services"
  | "links"
  | "words"
  | "fileNames"
  | "imports"
  | "contracts"
  | "pages"
  | "rules"
  | "format";

const CORE = "packages/core/src/planted.ts";
const IMAP = "adapters/imap/src/planted.ts";

/** A file that breaks a rule, the guard's finding, and other files that the broken file needs. */
export type Violation = readonly [
  what: string,
  guard: GuardName,
  file: string,
  source: string,
  named: RegExp,
  beside?: Readonly<Record<string, string>>,
];

/** The violations that each guard must report, with the expected output. */
export const VIOLATIONS: ReadonlyArray<Violation> = [
  ["the core imports node", "lint", CORE, `export { readFileSync } from "node:fs";`, /no-restricted-imports/],
  ["the core imports an npm package", "lint", CORE, `export { ImapFlow } from "imapflow";`, /no-restricted-imports/],
  [
    "the core imports an unstable module",
    "lint",
    CORE,
    `export { HttpRouter } from "effect/http";`,
    /no-restricted-imports/,
  ],
  [
    "the core imports an unstable member",
    "lint",
    CORE,
    `import { FileSystem } from "effect";\nexport const a = FileSystem;`,
    /no-restricted-imports/,
  ],
  ["the core reads the wall clock [S9.1-1]", "lint", CORE, "export const a = Date.now();", /no-restricted-globals/],
  [
    "the core reads the wall clock through globalThis",
    "lint",
    CORE,
    "export const a = globalThis.Date.now();",
    /no-restricted-properties/,
  ],
  [
    "the core uses randomness through globalThis",
    "lint",
    CORE,
    "export const a = globalThis.Math.random();",
    /no-restricted-properties/,
  ],
  [
    "the core reads the process through globalThis",
    "lint",
    CORE,
    "const { process } = globalThis;\nexport const a = process.pid;",
    /no-restricted-properties/,
  ],
  ["the core uses randomness", "lint", CORE, "export const a = Math.random();", /no-restricted-properties/],
  ["the core reads the process", "lint", CORE, "export const a = process.pid;", /no-restricted-globals/],
  ["an adapter reads the environment", "lint", IMAP, "export const a = process.env.HOME;", /no-restricted-properties/],
  [
    "an adapter imports the environment",
    "lint",
    IMAP,
    `import { env } from "node:process";\nexport const a = env.HOME;`,
    /no-restricted-imports/,
  ],
  [
    "an adapter reads the environment through globalThis",
    "lint",
    IMAP,
    "export const a = globalThis.process.env.HOME;",
    /no-restricted-properties/,
  ],
  [
    "a file of the server beside its configuration reads the environment",
    "lint",
    "apps/server/src/planted.ts",
    "export const a = process.env.HOME;",
    /no-restricted-properties/,
  ],
  ["a promise floats", "lint", IMAP, "const f = async () => 1;\nf();\nexport const a = f;", /no-floating-promises/],
  ["a file has 251 lines", "lint", IMAP, `export const a = [\n${"  1,\n".repeat(249)}];\n`, /max-lines/],
  [
    "the core imports an adapter",
    "cruise",
    CORE,
    `export { layer } from "../../../adapters/jose/src/index.ts";`,
    /core-knows-nothing/,
  ],
  [
    "the contract imports the core",
    "cruise",
    "packages/api/src/planted.ts",
    `export { Inbox } from "../../core/src/index.ts";`,
    /api-knows-rules/,
  ],
  [
    "the rules of a domain import a use case",
    "cruise",
    "packages/core/src/watch/rules.ts",
    `export { Inbox } from "../messages/Inbox.ts";`,
    /rules-know-rules/,
  ],
  [
    "the core imports the contract",
    "cruise",
    CORE,
    `export { PosternApi } from "../../api/src/index.ts";`,
    /core-knows-nothing/,
  ],
  [
    "the client imports the core",
    "cruise",
    "packages/client/src/planted.ts",
    `export { Inbox } from "../../core/src/index.ts";`,
    /client-knows-the-contract/,
  ],
  [
    "the testkit imports an adapter",
    "cruise",
    "packages/testkit/src/planted.ts",
    `export { layer } from "../../../adapters/jose/src/index.ts";`,
    /testkit-knows-the-core/,
  ],
  [
    "an adapter imports another",
    "cruise",
    IMAP,
    `export { layer } from "../../jose/src/index.ts";`,
    /adapters-know-the-core/,
  ],
  [
    "http-api imports an adapter",
    "cruise",
    "adapters/http-api/src/planted.ts",
    `export { layer } from "../../jose/src/index.ts";`,
    /http-api-knows-contract-and-core/,
  ],
  [
    "an adapter imports an app",
    "cruise",
    IMAP,
    `export { config } from "../../../apps/server/src/settings/config.ts";`,
    /only-apps-know-apps/,
  ],
  [
    "an app imports another",
    "cruise",
    "apps/server/src/planted.ts",
    `export { harness } from "../../harness/src/index.ts";`,
    /apps-know-no-app/,
  ],
  [
    "a test of an adapter imports another adapter",
    "cruise",
    "adapters/imap/test/planted.ts",
    `export { layer } from "../../jose/src/index.ts";`,
    /tests-know-their-own/,
  ],
  [
    "two files import each other",
    "cruise",
    IMAP,
    `export { layer } from "./index.ts";\nimport "./planted.ts";`,
    /no-circles/,
  ],
  [
    "a domain imports one that depends on it",
    "cruise",
    "packages/core/src/mail/planted.ts",
    `export { FolderManagement } from "../folders/index.ts";`,
    /rooms-look-up/,
  ],
  [
    "a domain imports another past its index",
    "cruise",
    "packages/core/src/send/planted.ts",
    `export { Session } from "../auth/Session.ts";`,
    /domains-have-one-door/,
  ],
  ["a package imports what it does not list", "types", IMAP, `export { jwtVerify } from "jose";`, /TS2307/],
  [
    "a package imports a package it does not list",
    "types",
    IMAP,
    `export { PosternApi } from "@postern/api";`,
    /TS2307/,
  ],
  [
    "an effect floats",
    "types",
    CORE,
    `import { Effect } from "effect";\nexport const a = () => {\n  Effect.void;\n};`,
    /floatingEffect/,
  ],
  [
    "an effect of an adapter floats",
    "types",
    IMAP,
    `import { Effect } from "effect";\nexport const a = () => {\n  Effect.void;\n};`,
    /floatingEffect/,
  ],
  ["the core uses a type of Node", "types", CORE, "export type A = NodeJS.Timeout;", /TS2503/],
  ["a file is imported by no other", "unused", IMAP, "export const a = 1;", /planted/],
  [
    "the rest of a request is passed on",
    "requests",
    CORE,
    "export const a = ({ folder: _, ...criteria }: SearchRequest) => criteria;",
    /looked at \d{3,} files/,
  ],
  [
    "a comment cites a section that does not exist",
    "citations",
    CORE,
    `/** spec ${4}.99 */
export const a = 1;`,
    /looked at \d{3,} files/,
  ],
  [
    "a generator of the core yields services and returns functions",
    "services",
    CORE,
    `export const survey = Effect.gen(function* () {
  const tree = yield* MailboxTree;
  return { list: tree.list };
});`,
    /yields services and returns functions/,
  ],
  [
    "a page links to a file that does not exist",
    "links",
    "docs/planted.md",
    "See [the guide](no-such-page.md).",
    /no-such-page\.md leads nowhere/,
  ],
  [
    "a page links to a heading that does not exist",
    "links",
    "docs/planted.md",
    "# One\n\nSee [two](#two) and [one](#one).",
    /: #two leads nowhere/,
  ],
  [
    "a comment hides its actor",
    "words",
    CORE,
    "/** Nobody calls it. */\nexport const a = 1;",
    /planted\.ts: 1: "Nobody"/,
  ],
  ["a name is an image", "words", CORE, "export const isBroughtBack = 1;", /planted\.ts: 1: "Brought"/],
  [
    "a PascalCase file exports another name",
    "fileNames",
    "packages/core/src/Planted.ts",
    "export const planted = 1;",
    /exports no Planted/,
  ],
  [
    "a PascalCase file exports another class",
    "fileNames",
    "packages/core/src/Planted.ts",
    "export class Planted {}\nexport class Another {}",
    /exports Another too/,
  ],
  ["a kebab-case file exports a class", "fileNames", CORE, "export class Planted {}", /exports the class Planted/],
  [
    "a port has no contract",
    "contracts",
    "packages/core/src/send/ports/Planted.ts",
    "export class Planted extends Port<Planted, {\n    readonly call: () => void;\n}>() {}",
    /Planted\.ts: no contract/,
  ],
  [
    "a contract is run by no adapter",
    "contracts",
    "packages/testkit/src/contracts/send/planted-contract.ts",
    "export const plantedContract = 1;",
    /Planted\.ts: no fake runs its contract[^]*no real adapter runs its contract/,
    { "packages/core/src/send/ports/Planted.ts": "export class Planted {}" },
  ],
  [
    "a contract skips an operation of its port",
    "contracts",
    "packages/testkit/src/contracts/send/planted-contract.ts",
    "export const plantedContract = 1;",
    /Planted\.ts: its contract never calls skipped/,
    {
      "packages/core/src/send/ports/Planted.ts":
        "export class Planted extends Port<Planted, {\n    readonly skipped: () => void;\n}>() {}",
    },
  ],
  [
    "a page names a file that does not exist",
    "links",
    "docs/planted.md",
    "See `packages/core/src/no-such-file.ts`.",
    /no-such-file\.ts is not there/,
  ],
  [
    "a README leaves out an option",
    "pages",
    "adapters/jose/src/PlantedOptions.ts",
    "export interface PlantedOptions {\n  readonly planted?: string;\n}",
    /adapters\/jose\/README\.md: does not name `planted`/,
  ],
  [
    "the table of ports leaves out a port",
    "pages",
    "packages/core/src/send/ports/Planted.ts",
    "export class Planted {}",
    /Planted has 0 rows in the table of ports/,
  ],
  [
    "a room of the client imports one after it",
    "cruise",
    "packages/client/src/calls/planted.ts",
    `export { connection } from "../session/connection.ts";`,
    /rooms-look-up/,
  ],
  [
    "a file beside the rooms of the server imports one of them",
    "cruise",
    "apps/server/src/planted.ts",
    `export { config } from "./settings/config.ts";`,
    /rooms-look-up/,
  ],
  ["a file is formatted in another way", "format", IMAP, "export const a = [1,2 ]", /planted/],
];
