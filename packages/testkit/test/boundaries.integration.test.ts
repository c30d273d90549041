import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/**
 * Every boundary of docs/architecture.md with a violation planted in a copy of the tree, which the very tool of
 * `npm run check` must refuse and name: a rule that went vacuous would look green.
 */
const ROOT = resolve(import.meta.dirname, "../../..");
const CARRIED = [
  "packages",
  "adapters",
  "apps",
  ".oxlintrc.json",
  ".oxfmtrc.json",
  ".dependency-cruiser.mjs",
  ".config",
  "tsconfig.base.json",
  "package.json",
  "docs",
  "README.md",
  ".ci",
];

/** Not what was made here: mailboxes to measure with, unpacked servers, bundles, compiled packages. */
const isSource = (path: string) => !/^(\.cache|\.bundle|dist)$/.test(basename(path));

let copy = "";

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), "boundaries-"));
  for (const name of CARRIED) {
    await cp(join(ROOT, name), join(copy, name), { recursive: true, verbatimSymlinks: true, filter: isSource });
  }
  await symlink(join(ROOT, "node_modules"), join(copy, "node_modules"));
}, 60_000);

afterAll(() => rm(copy, { recursive: true, force: true }));

const run = (command: string, ...options: ReadonlyArray<string>): Promise<{ code: number; output: string }> =>
  new Promise((done) => {
    const bin = join(ROOT, "node_modules/.bin", command);
    execFile(bin, [...options], { cwd: copy, maxBuffer: 1 << 26 }, (error, stdout, stderr) =>
      done({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
    );
  });

const lint = (file: string) => run("oxlint", "--type-aware", file);
const cruise = () =>
  run(
    "depcruise",
    "--config",
    ".dependency-cruiser.mjs",
    "packages/core/src",
    "packages/api/src",
    "packages/client/src",
    "packages/testkit/src",
    "adapters",
    "apps/server/src",
  );
/** The program of TypeScript that `npm run check` finds a file in. */
const programOf = (file: string) => (file.startsWith("packages/core/") ? "packages/core" : ".config");
const types = (file: string) => run("tsc", "-p", programOf(file));
const effects = (file: string) =>
  run(
    "effect-tsgo",
    "diagnostics",
    "--project",
    `${programOf(file)}/tsconfig.json`,
    "--severity",
    "error,warning",
    "--strict",
  );
const unused = () => run("knip", "--config", ".config/knip.json");
const requests = () => run("node", ".config/request-spreads.mjs");
const citations = () => run("node", ".config/spec-citations.mjs");
const services = () => run("node", ".config/half-services.mjs");
const links = () => run("node", ".config/links.mjs");
const words = () => run("node", ".config/words.mjs");
const fileNames = () => run("node", ".config/file-names.mjs");
const contracts = () => run("node", ".config/port-contracts.mjs");
const format = (file: string) => run("oxfmt", "--check", file);

type Guard = (file: string) => Promise<{ code: number; output: string }>;

const CORE = "packages/core/src/planted.ts";
const IMAP = "adapters/imap/src/planted.ts";

const VIOLATIONS: ReadonlyArray<
  readonly [
    what: string,
    guard: Guard,
    file: string,
    source: string,
    named: RegExp,
    beside?: Readonly<Record<string, string>>,
  ]
> = [
  ["the core imports node", lint, CORE, `export { readFileSync } from "node:fs";`, /no-restricted-imports/],
  ["the core imports an npm package", lint, CORE, `export { ImapFlow } from "imapflow";`, /no-restricted-imports/],
  [
    "the core imports an unstable module",
    lint,
    CORE,
    `export { HttpRouter } from "effect/http";`,
    /no-restricted-imports/,
  ],
  [
    "the core imports an unstable member",
    lint,
    CORE,
    `import { FileSystem } from "effect";\nexport const a = FileSystem;`,
    /no-restricted-imports/,
  ],
  ["the core reads the wall clock", lint, CORE, "export const a = Date.now();", /no-restricted-globals/],
  [
    "the core reads the wall clock through globalThis",
    lint,
    CORE,
    "export const a = globalThis.Date.now();",
    /no-restricted-properties/,
  ],
  [
    "the core draws at random through globalThis",
    lint,
    CORE,
    "export const a = globalThis.Math.random();",
    /no-restricted-properties/,
  ],
  [
    "the core looks at the process through globalThis",
    lint,
    CORE,
    "const { process } = globalThis;\nexport const a = process.pid;",
    /no-restricted-properties/,
  ],
  ["the core draws at random", lint, CORE, "export const a = Math.random();", /no-restricted-properties/],
  ["the core looks at the process", lint, CORE, "export const a = process.pid;", /no-restricted-globals/],
  ["an adapter reads the environment", lint, IMAP, "export const a = process.env.HOME;", /no-restricted-properties/],
  [
    "an adapter imports the environment",
    lint,
    IMAP,
    `import { env } from "node:process";\nexport const a = env.HOME;`,
    /no-restricted-imports/,
  ],
  [
    "an adapter reads the environment through globalThis",
    lint,
    IMAP,
    "export const a = globalThis.process.env.HOME;",
    /no-restricted-properties/,
  ],
  [
    "a file of the server beside its configuration reads the environment",
    lint,
    "apps/server/src/planted.ts",
    "export const a = process.env.HOME;",
    /no-restricted-properties/,
  ],
  ["a promise floats", lint, IMAP, "const f = async () => 1;\nf();\nexport const a = f;", /no-floating-promises/],
  ["a file has 251 lines", lint, IMAP, `export const a = [\n${"  1,\n".repeat(249)}];\n`, /max-lines/],
  [
    "the core imports an adapter",
    cruise,
    CORE,
    `export { layer } from "../../../adapters/jose/src/index.ts";`,
    /core-knows-nothing/,
  ],
  [
    "the contract imports the core",
    cruise,
    "packages/api/src/planted.ts",
    `export { Inbox } from "../../core/src/index.ts";`,
    /api-knows-nothing/,
  ],
  [
    "the core imports the contract",
    cruise,
    CORE,
    `export { PosternApi } from "../../api/src/index.ts";`,
    /core-knows-nothing/,
  ],
  [
    "the client imports the core",
    cruise,
    "packages/client/src/planted.ts",
    `export { Inbox } from "../../core/src/index.ts";`,
    /client-knows-the-contract/,
  ],
  [
    "the testkit imports an adapter",
    cruise,
    "packages/testkit/src/planted.ts",
    `export { layer } from "../../../adapters/jose/src/index.ts";`,
    /testkit-knows-the-core/,
  ],
  [
    "an adapter imports another",
    cruise,
    IMAP,
    `export { layer } from "../../jose/src/index.ts";`,
    /adapters-know-the-core/,
  ],
  [
    "http-api imports an adapter",
    cruise,
    "adapters/http-api/src/planted.ts",
    `export { layer } from "../../jose/src/index.ts";`,
    /http-api-knows-contract-and-core/,
  ],
  [
    "an adapter imports an app",
    cruise,
    IMAP,
    `export { config } from "../../../apps/server/src/config.ts";`,
    /only-apps-know-apps/,
  ],
  [
    "an app imports another",
    cruise,
    "apps/server/src/planted.ts",
    `export { harness } from "../../harness/src/index.ts";`,
    /apps-know-no-app/,
  ],
  [
    "a test of an adapter imports another adapter",
    cruise,
    "adapters/imap/test/planted.ts",
    `export { layer } from "../../jose/src/index.ts";`,
    /tests-know-their-own/,
  ],
  [
    "two files import each other",
    cruise,
    IMAP,
    `export { layer } from "./index.ts";\nimport "./planted.ts";`,
    /no-circles/,
  ],
  [
    "a domain imports one below it",
    cruise,
    "packages/core/src/mail/planted.ts",
    `export { FolderManagement } from "../folders/index.ts";`,
    /domains-look-up/,
  ],
  [
    "a domain imports another past its index",
    cruise,
    "packages/core/src/send/planted.ts",
    `export { Session } from "../auth/Session.ts";`,
    /domains-have-one-door/,
  ],
  ["a package imports what it does not list", types, IMAP, `export { jwtVerify } from "jose";`, /TS2307/],
  ["a package imports a package it does not list", types, IMAP, `export { PosternApi } from "@postern/api";`, /TS2307/],
  [
    "an effect floats",
    effects,
    CORE,
    `import { Effect } from "effect";\nexport const a = () => {\n  Effect.void;\n};`,
    /floatingEffect/,
  ],
  [
    "an effect of an adapter floats",
    effects,
    IMAP,
    `import { Effect } from "effect";\nexport const a = () => {\n  Effect.void;\n};`,
    /floatingEffect/,
  ],
  ["the core uses a type of Node", types, CORE, "export type A = NodeJS.Timeout;", /TS2503/],
  ["no file imports a file", unused, IMAP, "export const a = 1;", /planted/],
  [
    "the rest of a request goes on",
    requests,
    CORE,
    "export const a = ({ folder: _, ...criteria }: SearchRequest) => criteria;",
    /looked at \d{3,} files/,
  ],
  [
    "a section is cited that is not there",
    citations,
    CORE,
    `/** spec ${4}.99 */
export const a = 1;`,
    /looked at \d{3,} files/,
  ],
  [
    "a generator of the core yields services and returns functions",
    services,
    CORE,
    `export const survey = Effect.gen(function* () {
  const tree = yield* MailboxTree;
  return { list: tree.list };
});`,
    /yields services and returns functions/,
  ],
  [
    "a page links to a file that is not there",
    links,
    "docs/planted.md",
    "See [the guide](no-such-page.md).",
    /no-such-page\.md leads nowhere/,
  ],
  [
    "a page links to a heading that is not there",
    links,
    "docs/planted.md",
    "# One\n\nSee [two](#two) and [one](#one).",
    /: #two leads nowhere/,
  ],
  [
    "a comment hides its actor",
    words,
    CORE,
    "/** Nobody calls it. */\nexport const a = 1;",
    /planted\.ts: 1: "Nobody"/,
  ],
  ["a name is an image", words, CORE, "export const isBroughtBack = 1;", /planted\.ts: 1: "Brought"/],
  [
    "a PascalCase file exports another name",
    fileNames,
    "packages/core/src/Planted.ts",
    "export const planted = 1;",
    /exports no Planted/,
  ],
  [
    "a PascalCase file exports another class",
    fileNames,
    "packages/core/src/Planted.ts",
    "export class Planted {}\nexport class Another {}",
    /exports Another too/,
  ],
  ["a kebab-case file exports a class", fileNames, CORE, "export class Planted {}", /exports the class Planted/],
  [
    "a port has no contract",
    contracts,
    "packages/core/src/send/ports/Planted.ts",
    "export class Planted extends Port<Planted, {\n    readonly call: () => void;\n}>() {}",
    /Planted\.ts: no contract/,
  ],
  [
    "a contract is run by no adapter",
    contracts,
    "packages/testkit/src/contracts/send/planted-contract.ts",
    "export const plantedContract = 1;",
    /Planted\.ts: no fake runs its contract[^]*no real adapter runs its contract/,
    { "packages/core/src/send/ports/Planted.ts": "export class Planted {}" },
  ],
  [
    "a contract skips an operation of its port",
    contracts,
    "packages/testkit/src/contracts/send/planted-contract.ts",
    "export const plantedContract = 1;",
    /Planted\.ts: its contract never calls skipped/,
    { "packages/core/src/send/ports/Planted.ts": "export class Planted {\n    readonly skipped: () => void;\n}" },
  ],
  ["a file is formatted in another way", format, IMAP, "export const a = [1,2 ]", /planted/],
];

describe("every boundary is held", () => {
  for (const [what, guard, file, source, named, beside = {}] of VIOLATIONS) {
    it(`not where ${what}`, async () => {
      const planted = Object.entries({ ...beside, [file]: source });
      for (const [path, text] of planted) await writeFile(join(copy, path), `${text}\n`);
      try {
        const { code, output } = await guard(file);
        expect(output).toMatch(named);
        expect(output).toMatch(/planted/i);
        expect(code).not.toBe(0);
      } finally {
        for (const [path] of planted) await rm(join(copy, path));
      }
    });
  }

  it("and the tree as it is breaks none of the arrows", async () => {
    const { code, output } = await cruise();
    expect(output).toMatch(/no dependency violations/);
    expect(Number(/(\d+) modules/.exec(output)?.[1])).toBeGreaterThan(100);
    expect(code).toBe(0);
  });

  it("the list of unstable members is that of the effect installed", async () => {
    const index = await readFile(join(ROOT, "packages/core/node_modules/effect/src/index.ts"), "utf8");
    const config = JSON.parse(await readFile(join(ROOT, ".oxlintrc.json"), "utf8"));
    const core = config.overrides.find(({ files }: { files: ReadonlyArray<string> }) =>
      files.includes("packages/core/src/**"),
    );
    const listed: ReadonlyArray<string> = core.rules["no-restricted-imports"][1].paths[0].importNames;
    const unstable: Array<string> = [];
    for (const [, name, file] of index.matchAll(/^export \* as (\w+) from "\.\/(\w+)\.ts"/gm)) {
      const header = (await readFile(join(ROOT, `packages/core/node_modules/effect/src/${file}.ts`), "utf8")).slice(
        0,
        6000,
      );
      if (/@stability (\w+)/.exec(header)?.[1] !== "stable") unstable.push(name!);
    }
    expect([...listed].toSorted()).toEqual(unstable.toSorted());
  });
});
