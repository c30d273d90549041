// What the effect installed for packages/core calls stable, read from the headers of its own sources.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const SOURCES = join(import.meta.dirname, "../packages/core/node_modules/effect/src");
const HEADER = /\/\*\*(?:(?!\*\/)[^])*?@stability (\w+)(?:(?!\*\/)[^])*?\*\/\n/;
const DECLARATION = "export (?:declare )?(?:abstract )?(?:const|function|class|interface|type|namespace) (\\w+)";
const RENAMING = "  (?:type )?(?:\\w+ as )?(\\w+),?\\n";
const MEMBER = new RegExp(`${HEADER.source}(?:${DECLARATION}|${RENAMING})`, "g");

const read = (module) => readFileSync(join(SOURCES, `${module}.ts`), "utf8");

const isStable = (module) => {
  const stability = HEADER.exec(read(module))?.[1];
  if (stability === undefined) throw new Error(`effect/${module} no longer says @stability: mend this reader`);
  return stability === "stable";
};

const unstableOf = (module) => {
  const stable = new Set();
  const unstable = new Set();
  for (const [, stability, declared, renamed] of read(module).matchAll(MEMBER)) {
    (stability === "stable" ? stable : unstable).add(declared ?? renamed);
  }
  return [...unstable.difference(stable)];
};

const barrel = [...read("index").matchAll(/^export \* as (\w+) from "\.\/(\w+)\.ts"/gm)];
const encodings = readdirSync(join(SOURCES, "encoding")).map((file) => `encoding/${file.replace(/\.ts$/, "")}`);

/** What may stand after `from`. */
export const stableModules = [
  "effect",
  ...encodings.filter((module) => module !== "encoding/index" && isStable(module)).map((module) => `effect/${module}`),
];

/** Names of `effect` that may not be imported. */
export const unstableNames = barrel.filter(([, , module]) => !isStable(module)).map(([, name]) => name);

/** Members of stable modules that may not be used, as `[module, member]`. */
export const unstableMembers = barrel
  .filter(([, , module]) => isStable(module))
  .flatMap(([, name, module]) => unstableOf(module).map((member) => [name, member]));

if (barrel.length < 50 || unstableNames.length === 0 || unstableMembers.length === 0) {
  throw new Error("effect's sources no longer read as they did: mend this reader");
}
