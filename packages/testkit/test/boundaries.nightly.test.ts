import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SPELLINGS } from "./planted-syntax.ts";
import { type GuardName, VIOLATIONS as RULES } from "./planted-violations.ts";

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

const VIOLATIONS = [...RULES, ...SPELLINGS];

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

type Guard = (...files: ReadonlyArray<string>) => Promise<{ code: number; output: string }>;

const lint: Guard = (...files) => run("oxlint", "--type-aware", "--format", "unix", ...files);
const cruise: Guard = () =>
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
/**
 * Writes a project for each program of `npm run check` that contains some of these files. The project has the program's
 * options and only these files, because checking a whole program takes half a minute. Returns their folders.
 */
const projectsOf = async (files: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const projects: Array<string> = [];
  for (const program of ["packages/core", ".config"]) {
    const { output } = await run("tsc", "-p", program, "--listFilesOnly");
    const all = new Set(output.split("\n"));
    const own = files.map((file) => join(copy, file)).filter((file) => all.has(file));
    if (own.length === 0) continue;
    const project = join(copy, ".planted", basename(program));
    await mkdir(project, { recursive: true });
    const config = { extends: join(copy, program, "tsconfig.json"), include: [], files: own };
    await writeFile(join(project, "tsconfig.json"), JSON.stringify(config));
    projects.push(project);
  }
  return projects;
};
const types: Guard = async (...files) => run("node", ".config/types.mjs", ...(await projectsOf(files)));
const unused: Guard = () => run("knip", "--config", ".config/knip.json");
const requests: Guard = () => run("node", ".config/request-spreads.mjs");
const citations: Guard = () => run("node", ".config/spec-citations.mjs");
const services: Guard = () => run("node", ".config/half-services.mjs");
const links: Guard = () => run("node", ".config/links.mjs");
const words: Guard = () => run("node", ".config/words.mjs");
const fileNames: Guard = () => run("node", ".config/file-names.mjs");
const imports: Guard = () => run("node", ".config/import-paths.mjs");
const contracts: Guard = () => run("node", ".config/port-contracts.mjs");
const pages: Guard = () => run("node", ".config/package-pages.mjs");
const rules: Guard = () => run("node", ".config/handler-rules.mjs");
const format: Guard = (...files) => run("oxfmt", "--check", ...files);

const GUARDS: Readonly<Record<GuardName, Guard>> = {
  lint,
  cruise,
  types,
  unused,
  requests,
  citations,
  services,
  links,
  words,
  fileNames,
  imports,
  contracts,
  pages,
  rules,
  format,
};

/**
 * Guards that take seconds and report each finding with its file. One run of such a guard checks all its violations.
 */
const AT_ONCE: ReadonlyArray<GuardName> = ["lint", "cruise", "types"];

/** Runs a guard with files planted. */
const runPlanted = async (guard: GuardName, planted: Readonly<Record<string, string>>, ...files: Array<string>) => {
  for (const [path, text] of Object.entries(planted)) await writeFile(join(copy, path), `${text}\n`, { flag: "wx" });
  try {
    return await GUARDS[guard](...files);
  } finally {
    for (const path of Object.keys(planted)) await rm(join(copy, path));
  }
};

describe("npm run check", () => {
  for (const guard of AT_ONCE) {
    const planted = VIOLATIONS.filter((each) => each[1] === guard).map(([what, , file, source, named], n) => {
      const own = (text: string) => text.replaceAll("planted", `planted-${n}`);
      return { what, file: own(file), source: own(source), named };
    });
    describe(guard, () => {
      let report = { code: 0, output: "" };
      beforeAll(async () => {
        const sources = Object.fromEntries(planted.map(({ file, source }) => [file, source]));
        report = await runPlanted(guard, sources, ...Object.keys(sources));
      });
      it.each(planted)("fails if $what", ({ file, named }) => {
        const lines = report.output.split("\n").filter((line) => line.includes(file));
        expect(lines.join("\n")).toMatch(named);
        expect(report.code).not.toBe(0);
      });
    });
  }

  for (const [what, guard, file, source, named, beside = {}] of VIOLATIONS) {
    if (AT_ONCE.includes(guard)) continue;
    it(`fails if ${what}`, async () => {
      const { code, output } = await runPlanted(guard, { ...beside, [file]: source }, file);
      expect(output).toMatch(named);
      expect(output).toMatch(/planted/i);
      expect(code).not.toBe(0);
    });
  }

  it("fails if an exemption allows nothing any more", async () => {
    const exemptions = join(copy, ".config/exemptions.mjs");
    const listed = await readFile(exemptions, "utf8");
    await writeFile(exemptions, listed.replace("contracts: {", 'contracts: { "MailServers real": "planted",'));
    try {
      const { code, output } = await contracts();
      expect(output).toMatch(/exemptions\.mjs: MailServers real of contracts is exempt, and nothing is wrong with it/);
      expect(code).not.toBe(0);
    } finally {
      await writeFile(exemptions, listed);
    }
  });

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
