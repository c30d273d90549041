import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const EXAMPLES = resolve(import.meta.dirname, "../../../apps/examples");

const examples = readdirSync(EXAMPLES).filter((name) => existsSync(join(EXAMPLES, name, "package.json")));

const dependenciesOf = (name: string): Readonly<Record<string, string>> => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(EXAMPLES, name, "package.json"), "utf8"));
  return { ...dependencies, ...devDependencies };
};

/** Returns each name that an example imports from a package, with its file. */
const importsOf = (name: string): ReadonlyArray<string> =>
  readdirSync(join(EXAMPLES, name), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !file.includes("node_modules"))
    .flatMap((file) => [...readFileSync(join(EXAMPLES, name, file), "utf8").matchAll(/ from "(?!\.|node:)([^"]+)"/g)])
    .map(([, imported]) => /^(@[^/]+\/)?[^/]+/.exec(imported!)![0]);

const isOwnLine = (line: string): boolean => !/^\s*(\/\/|\/\*|\*|$)|^import /.test(line);

describe.each(examples)("the example %s", (name) => {
  it("lists every package that it imports", () => {
    expect(Object.keys(dependenciesOf(name))).toEqual(expect.arrayContaining([...importsOf(name)]));
  });

  it("says how to run its test", () => {
    expect(readFileSync(join(EXAMPLES, name, "README.md"), "utf8")).toMatch(/^```sh\nnpm install\nnpm test\n```$/m);
  });

  it("has up to 25 lines of code per file", () => {
    for (const file of readdirSync(join(EXAMPLES, name)).filter((each) => /(?<!\.test)\.ts$/.test(each))) {
      const own = readFileSync(join(EXAMPLES, name, file), "utf8")
        .split("\n")
        .filter(isOwnLine);
      expect(own.length, file).toBeLessThanOrEqual(25);
    }
  });
});
