import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GuardName, VIOLATIONS } from "./planted-violations.ts";

/**
 * Plants a violation of each boundary in docs/architecture.md in a copy of the tree. The tool of `npm run check` must report
 * it; otherwise a rule that no longer applies would pass unnoticed.
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

/** Whether a path is source, not generated: benchmark mailboxes, unpacked servers, bundles, compiled packages. */
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
/** Returns the TypeScript project of a file in `npm run check`. */
const programOf = (file: string) => (file.startsWith("packages/core/") ? "packages/core" : ".config");
const types = (file: string) => run("tsc", "-p", programOf(file));
const effects = (file: string) => run("node", ".config/effects.mjs", programOf(file));
const unused = () => run("knip", "--config", ".config/knip.json");
const requests = () => run("node", ".config/request-spreads.mjs");
const citations = () => run("node", ".config/spec-citations.mjs");
const services = () => run("node", ".config/half-services.mjs");
const links = () => run("node", ".config/links.mjs");
const words = () => run("node", ".config/words.mjs");
const fileNames = () => run("node", ".config/file-names.mjs");
const contracts = () => run("node", ".config/port-contracts.mjs");
const format = (file: string) => run("oxfmt", "--check", file);

const GUARDS: Readonly<Record<GuardName, (file: string) => Promise<{ code: number; output: string }>>> = {
  lint,
  cruise,
  types,
  effects,
  unused,
  requests,
  citations,
  services,
  links,
  words,
  fileNames,
  contracts,
  format,
};

describe("npm run check", () => {
  for (const [what, guard, file, source, named, beside = {}] of VIOLATIONS) {
    it(`fails if ${what}`, async () => {
      const planted = Object.entries({ ...beside, [file]: source });
      for (const [path, text] of planted) await writeFile(join(copy, path), `${text}\n`);
      try {
        const { code, output } = await GUARDS[guard](file);
        expect(output).toMatch(named);
        expect(output).toMatch(/planted/i);
        expect(code).not.toBe(0);
      } finally {
        for (const [path] of planted) await rm(join(copy, path));
      }
    });
  }

  it("finds no dependency violation in the unchanged tree", async () => {
    const { code, output } = await cruise();
    expect(output).toMatch(/no dependency violations/);
    expect(Number(/(\d+) modules/.exec(output)?.[1])).toBeGreaterThan(100);
    expect(code).toBe(0);
  });

  it("lists exactly the unstable members of the installed effect", async () => {
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
