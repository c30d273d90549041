import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

const HELP = `npm run simulate:sources -- [options]

Puts bugs into a copy of the sources, one at a time: the patches in apps/harness/plants. Simulates each at three nodes from
seed 1 on until an invariant is violated, and writes the tables into docs/simulation.md. A run that ended early goes on where
it was: results are kept while neither patch nor sources change.

  --plant <part>    only the patches whose path contains this; writes no table
  --again           forgets the kept results
  --help

Exit codes: 0 the run ended, 1 a patch does not apply, or its types or its start fail, 2 wrong usage.`;

const ROOT = resolve(import.meta.dirname, "../../..");
const PAGE = join(ROOT, "docs/simulation.md");
const BEGIN = "<!-- Written by `npm run simulate:sources`. -->";
const END = "<!-- End of the bugs in sources. -->";
const KEPT = join(ROOT, "node_modules/.cache/simulated-sources.json");
/** The folders of sources that a simulation runs, and the folders within them that are not copied. */
const SOURCES = ["packages", "adapters", "apps/harness"];
const LEFT_OUT = /\/(?:dist|test|\.cache|coverage)$/;
/**
 * The number of seeds of each round: the first round looks for all bugs, later rounds for the bugs that were not found.
 */
const SEEDS = [3, 15, 60];
/** The time after which a run counts as hung, in milliseconds. */
const LIMIT = 900_000;

type Result =
  | { readonly _tag: "Found"; readonly seed: number; readonly by: ReadonlyArray<string>; readonly first: string }
  /** No seed up to this one finds the bug. */
  | { readonly _tag: "Missed"; readonly upTo: number }
  | { readonly _tag: "Hung" }
  /** The patch proves nothing: it does not apply, its types are wrong, or no node starts. */
  | { readonly _tag: "Invalid"; readonly detail: string };

const read = () => {
  try {
    return parseArgs({
      options: { plant: { type: "string" }, again: { type: "boolean" }, help: { type: "boolean" } },
    }).values;
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${HELP}`);
    return process.exit(2);
  }
};

const hashOf = (files: ReadonlyArray<string>): string => {
  const hash = createHash("sha256");
  for (const file of files) hash.update(file).update(readFileSync(join(ROOT, file)));
  return hash.digest("hex");
};

/** Copies the sources to a folder where they may be changed. The copy uses the repository's installed modules. */
const copySources = (): string => {
  const copy = mkdtempSync(join(tmpdir(), "postern-sources-"));
  for (const part of SOURCES) {
    const filter = (path: string) => !LEFT_OUT.test(path);
    cpSync(join(ROOT, part), join(copy, part), { recursive: true, verbatimSymlinks: true, filter });
  }
  for (const file of ["package.json", "tsconfig.base.json"]) cpSync(join(ROOT, file), join(copy, file));
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  return copy;
};

const invalid = (detail: string): Result => ({ _tag: "Invalid", detail: detail.trim().slice(0, 200) });

/** Simulates the copy until an invariant is violated. */
const simulate = (copy: string, from: number, upTo: number): Result => {
  const { status, signal, stdout, stderr } = spawnSync(
    process.execPath,
    [
      "--max-semi-space-size=64",
      "--single-threaded",
      "--conditions=@postern/source",
      "apps/harness/src/first-violation-main.ts",
      String(from),
      String(upTo),
    ],
    { cwd: copy, encoding: "utf8", timeout: LIMIT, killSignal: "SIGKILL" },
  );
  if (signal !== null) return { _tag: "Hung" };
  if (status !== 0) return invalid(/^\S*Error.*$/m.exec(stderr)?.[0] ?? stderr);
  const first = JSON.parse(stdout) as { seed: number; violations: ReadonlyArray<string> } | null;
  if (first === null) return { _tag: "Missed", upTo };
  const by = new Set(first.violations.map((violation) => violation.slice(0, violation.indexOf(":"))));
  return { _tag: "Found", seed: first.seed, by: [...by], first: first.violations[0]! };
};

const apply = (copy: string, patch: string, ...options: ReadonlyArray<string>) =>
  spawnSync("git", ["apply", ...options, join(ROOT, patch)], { cwd: copy, encoding: "utf8" });

const undo = (copy: string, patch: string): void => {
  if (apply(copy, patch, "--reverse").status !== 0) throw new Error(`${patch} cannot be undone`);
};

/** Returns the type errors of the copy; undefined if there are none. */
const typesOf = (copy: string): string | undefined => {
  const types = spawnSync(join(ROOT, "node_modules/.bin/tsc"), ["-p", "adapters/memory"], {
    cwd: copy,
    encoding: "utf8",
  });
  return types.status === 0 ? undefined : types.stdout;
};

/**
 * Returns the patches that do not apply, or whose types are wrong. Patches that apply together are checked together.
 */
const invalidOf = (copy: string, patches: ReadonlyArray<string>): ReadonlyMap<string, Result> => {
  const wrong = new Map<string, Result>();
  let left = patches;
  while (left.length > 0) {
    const together = left.filter((patch) => apply(copy, patch).status === 0);
    const types = together.length === 0 ? undefined : typesOf(copy);
    for (const patch of together.toReversed()) undo(copy, patch);
    const [first] = left;
    if (together.length === 0) wrong.set(first!, invalid(`does not apply: ${apply(copy, first!).stderr}`));
    if (types !== undefined && together.length === 1) wrong.set(first!, invalid(`types: ${types}`));
    if (types !== undefined && together.length > 1)
      for (const one of together) invalidOf(copy, [one]).forEach((result) => wrong.set(one, result));
    const done = new Set(together.length === 0 ? [first] : together);
    left = left.filter((patch) => !done.has(patch));
  }
  return wrong;
};

const check = (copy: string, patch: string, before: Result | undefined, upTo: number): Result => {
  const from = before?._tag === "Missed" ? before.upTo + 1 : 1;
  if ((before !== undefined && before._tag !== "Missed") || from > upTo) return before!;
  apply(copy, patch);
  try {
    return simulate(copy, from, upTo);
  } finally {
    undo(copy, patch);
  }
};

/** Returns the description at the beginning of a patch, which ends at the name of the page of the spec. */
const aboutOf = (patch: string): string =>
  readFileSync(join(ROOT, patch), "utf8")
    .split(/\n(?:docs\/|\n)/)[0]!
    .replaceAll("\n", " ")
    .replaceAll("|", "\\|");

const row = (patch: string, result: Result): string => {
  const name = patch.replace(/^.*\//, "").replace(/\.patch$/, "");
  const found = result._tag === "Found" ? `${result.seed} | ${result.by.join(", ")}` : `| ${resultText(result)}`;
  return `| ${name} | ${aboutOf(patch)} | ${found} |`;
};

const resultText = (result: Result): string => {
  if (result._tag === "Hung") return "**the simulation does not end**";
  return result._tag === "Missed"
    ? `**not found** in ${result.upTo} seeds`
    : `**invalid**: ${(result as Extract<Result, { _tag: "Invalid" }>).detail}`;
};

const tables = (all: ReadonlyArray<readonly [patch: string, result: Result]>): string =>
  [...Map.groupBy(all, ([patch]) => patch.split("/").at(-2)!)]
    .map(([round, some]) => {
      const found = some.filter(([, { _tag }]) => _tag === "Found").length;
      return [
        `${round.replace("-", " ").replace(/^./, (letter) => letter.toUpperCase())}: ${found} of ${some.length} are found.`,
        "",
        "| bug | | seeds needed | found by |",
        "| --- | --- | --- | --- |",
        ...some.map(([patch, result]) => row(patch, result)),
      ].join("\n");
    })
    .join("\n\n");

const options = read();
if (options.help === true) {
  console.log(HELP);
  process.exit(0);
}
const patches = globSync("apps/harness/plants/*/*.patch", { cwd: ROOT }).toSorted();
const chosen = patches.filter((patch) => patch.includes(options.plant ?? ""));
if (chosen.length === 0) {
  console.error(`no patch in apps/harness/plants has ${options.plant} in its path`);
  process.exit(2);
}
const tracked = execFileSync("git", ["ls-files", "-co", "--exclude-standard", ...SOURCES], {
  cwd: ROOT,
  encoding: "utf8",
});
const sources = hashOf(tracked.split("\n").filter((file) => /^(?!.*\/test\/).*\/src\/.*\.ts$/.test(file)));
const kept: Record<string, Result> = (() => {
  try {
    return options.again === true ? {} : JSON.parse(readFileSync(KEPT, "utf8"));
  } catch {
    return {};
  }
})();
const keep = (key: string, result: Result): void => {
  kept[key] = result;
  mkdirSync(join(KEPT, ".."), { recursive: true });
  writeFileSync(KEPT, JSON.stringify(kept));
};
const keyOf = (patch: string) => `${sources.slice(0, 16)} ${hashOf([patch]).slice(0, 16)}`;
const copy = copySources();
try {
  for (const [patch, result] of invalidOf(
    copy,
    chosen.filter((patch) => kept[keyOf(patch)] === undefined),
  )) {
    keep(keyOf(patch), result);
  }
  for (const upTo of SEEDS) {
    for (const patch of chosen) {
      const before = kept[keyOf(patch)];
      const result = check(copy, patch, before, upTo);
      keep(keyOf(patch), result);
      if (result !== before)
        console.log(
          `${patch}: ${result._tag === "Found" ? `seed ${result.seed}, ${result.first}` : resultText(result)}`,
        );
    }
  }
  const all = chosen.map((patch) => [patch, kept[keyOf(patch)]!] as const);
  if (all.some(([, { _tag }]) => _tag === "Invalid")) process.exitCode = 1;
  if (options.plant === undefined) {
    const page = readFileSync(PAGE, "utf8");
    const [before, after] = [page.indexOf(BEGIN), page.indexOf(END)];
    const text = `${BEGIN}\n\n${tables(all)}\n\n${END}`;
    writeFileSync(PAGE, page.slice(0, before) + text + page.slice(after + END.length));
  }
} finally {
  rmSync(copy, { recursive: true });
}
