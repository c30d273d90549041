// Which fast tests reach a source file by imports, the nearest first.
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { parseSync } from "oxc-parser";

/** The sources behind the names of our packages, by their export condition for sources. */
const packages = new Map(
  globSync("{packages,adapters,apps}/*/package.json").flatMap((manifest) => {
    const { name, exports = {} } = JSON.parse(readFileSync(manifest, "utf8"));
    return Object.entries(exports).flatMap(([door, { "@postern/source": source }]) =>
      source === undefined ? [] : [[name + door.slice(1), resolve(dirname(manifest), source)]],
    );
  }),
);

const imports = new Map();
const importsOf = (file) => {
  if (!imports.has(file)) {
    const { module } = parseSync(file, readFileSync(file, "utf8"));
    const named = [
      ...module.staticImports.map((one) => one.moduleRequest.value),
      ...module.staticExports.flatMap((one) => one.entries.flatMap((entry) => entry.moduleRequest?.value ?? [])),
    ];
    const files = named.map((name) => (name.startsWith(".") ? resolve(dirname(file), name) : packages.get(name)));
    imports.set(file, [
      ...new Set(files.filter((path) => path !== undefined && existsSync(path) && /\.tsx?$/.test(path))),
    ]);
  }
  return imports.get(file);
};

/** How many imports lie between a test and each file that it reaches. */
const distancesFrom = (test) => {
  const distances = new Map([[test, 0]]);
  for (const [file, distance] of distances)
    for (const next of importsOf(file)) if (!distances.has(next)) distances.set(next, distance + 1);
  return distances;
};

const fastTests = globSync("{packages,adapters,apps}/*/test/**/*.test.ts")
  .filter((test) => !/\.(integration|nightly)\.test\.ts$/.test(test))
  .map((test) => ({ test, distances: distancesFrom(resolve(test)) }));

const wordsOf = (file) =>
  new Set(
    file
      .replace(/.*\/(?:src|test)\//, "")
      .replace(/\.test\.ts$|\.ts$/, "")
      .toLowerCase()
      .split(/[^a-z]+/),
  );
const stem = (file) => basename(file).replace(/(\.test)?\.ts$/, "");

/** Returns the fast tests that reach a file: its namesake first, then by common words of both names, then by the imports between. */
export const testsNear = (file) => {
  const wanted = wordsOf(file.replaceAll(/([a-z])([A-Z])/g, "$1-$2"));
  return fastTests
    .flatMap(({ test, distances }) => {
      const distance = distances.get(resolve(file));
      if (distance === undefined) return [];
      const shared = wordsOf(test).intersection(wanted).size;
      return [{ test, far: stem(test) === stem(file) ? 0 : 1 + distance / (1 + 2 * shared) }];
    })
    .toSorted((one, other) => one.far - other.far)
    .map(({ test }) => test);
};
