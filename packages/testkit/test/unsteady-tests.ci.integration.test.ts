import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "../../..");
const TESTS = "packages/planted/test";

let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "unsteady-"));
  await cp(join(ROOT, ".config"), join(folder, ".config"), { recursive: true });
  await cp(join(ROOT, "package.json"), join(folder, "package.json"));
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
  // The configuration of Vitest imports the texts of the console.
  await mkdir(join(folder, "apps"));
  await symlink(join(ROOT, "apps/console"), join(folder, "apps/console"));
  await mkdir(join(folder, TESTS), { recursive: true });
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs tests that fail at first and pass when they are repeated, as CI does. */
const runRaces = async (
  file: string,
  count: number,
): Promise<{ readonly passed: boolean; readonly output: string }> => {
  const races = Array.from(
    { length: count },
    (_, n) => `let runs${n} = 0;\ntest("race ${n}", () => {\n  runs${n} += 1;\n  expect(runs${n}).toBe(2);\n});\n`,
  );
  await writeFile(join(folder, TESTS, file), `import { expect, test } from "vitest";\n${races.join("")}`);
  return new Promise((done) => {
    const command = [join(ROOT, "node_modules/vitest/vitest.mjs"), "run", "--config", ".config/vitest.config.ts", file];
    const options = { cwd: folder, env: { ...process.env, CI: "true", NO_COLOR: "1" } };
    execFile(process.execPath, command, options, (error, stdout, stderr) =>
      done({ passed: error === null, output: stdout + stderr }),
    );
  });
};

test("a test in memory that passes only when it is repeated fails the run", async () => {
  const { passed, output } = await runRaces("memory.test.ts", 1);
  expect(output).toMatch(/1 failed/);
  expect(passed).toBe(false);
});

test("two tests with real servers may be repeated in a run, and are named", async () => {
  const { passed, output } = await runRaces("two.integration.test.ts", 2);
  expect(output).toMatch(/PASSED ONLY WHEN REPEATED \(2\):\n.*race 0\n.*race 1/);
  expect(passed).toBe(true);
});

test("three fail the run", async () => {
  const { passed, output } = await runRaces("three.integration.test.ts", 3);
  expect(output).toMatch(/PASSED ONLY WHEN REPEATED \(3\)/);
  expect(output).toMatch(/At most 2 tests/);
  expect(passed).toBe(false);
});
