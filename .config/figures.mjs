// Counts the things that a new maintainer has to learn, and refuses an increase.
import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { doorsOf, LOOSE, ROOMS } from "./rooms.mjs";
import { nodesOf, treeOf } from "./syntax-tree.mjs";

/** The maximum of each figure: the value reached last. A change that lowers a figure lowers its maximum. */
const MAX_FIGURES = {
  "public names of the core": 599,
  "services of the core, beside ports": 75,
  "ports of the core": 70,
  "domains of the core that export *": 0,
  "files that run for sign-in": 31,
  "files that run for a page of INBOX": 32,
  // The 61st file is of the fake mail server: it refuses a copy in a Sent folder that is read-only.
  "files that run for sending": 61,
  "lines of a file": 250,
  "lines of nine files in ten of the product": 133,
  "imports of a room from one after it": 0,
  "files without a place in .config/rooms.mjs": 0,
  "non-null assertions on the send path": 0,
  "committed files that .gitignore names": 0,
};

/** Maximum number of files in a folder. */
const MAX_FILES = 20;
/** Maximum number of files in a folder of the core, where some domains consist of one large idea. */
const MAX_FILES_OF_THE_CORE = 32;
/** Folders that grow by nature, with the reason. */
const GROWING = { "adapters/sql/src/migrations": "a list: one file for each change of the tables, never removed" };
const CORE = "packages/core";

/** Returns the names that a module exports, including those of its `export *`. */
const namesOf = (file) => {
  const { body } = treeOf(readFileSync(file, "utf8"), file);
  return body.flatMap((node) => {
    if (node.type === "ExportAllDeclaration")
      return node.exported === null ? namesOf(resolve(dirname(file), node.source.value)) : [node.exported.name];
    if (node.type !== "ExportNamedDeclaration") return [];
    const { declaration, specifiers } = node;
    if (declaration === null) return specifiers.map(({ exported }) => exported.name);
    return (declaration.declarations ?? [declaration]).map(({ id }) => id.name);
  });
};

const doors = Object.values(JSON.parse(readFileSync(`${CORE}/package.json`, "utf8")).exports).map(
  ({ "@postern/source": source }) => resolve(CORE, source),
);
const files = globSync("{packages,adapters,apps}/*/src/**/*.{ts,tsx}").filter((file) => !file.endsWith(".d.ts"));
const sources = files.map((file) => ({ file, text: readFileSync(file, "utf8") }));
const services = sources.filter(
  ({ file, text }) => file.startsWith(`${CORE}/`) && /\bextends Context\.Service\b/.test(text),
);
const isPort = ({ file }) => file.includes("/ports/");
const SEND_PATH = /^packages\/core\/src\/(send|uploads|identities)\//;

/** Returns, for each folder with rooms, the folder and the room of a file; entry points have the last room. */
const placesOf = (file) =>
  Object.entries(ROOMS).flatMap(([folder, rooms]) => {
    if (!file.startsWith(`${folder}/`)) return [];
    const [name, ...below] = file.slice(folder.length + 1).split("/");
    if (below.length > 0) return [{ folder, at: rooms.indexOf(name) }];
    return [{ folder, at: new RegExp(`^(${doorsOf(folder)})$`).test(name) ? rooms.length : rooms.indexOf(LOOSE) }];
  });

/** Returns whether a file is in a room, of whatever package, that has no place in the order. */
const hasNoPlace = (file) => {
  const places = placesOf(file);
  return places.some(({ at }) => at < 0) || (places.length === 0 && !/^[^/]+\/[^/]+\/src\/[^/]+$/.test(file));
};

const importsOf = ({ file, text }) =>
  treeOf(text, file)
    .body.flatMap(({ source }) => source?.value ?? [])
    .filter((path) => path.startsWith("."))
    .map((path) => join(dirname(file), path));

/** Returns the number of folders in which a file imports from a room after its own. */
const importsFromAbove = (source) => {
  const places = placesOf(source.file);
  return importsOf(source).flatMap((target) =>
    placesOf(target).filter(({ folder, at }) => places.some((own) => own.folder === folder && own.at < at)),
  );
};

const linesOf = (...without) =>
  sources
    .filter(({ file }) => !without.some((folder) => file.startsWith(folder)))
    .map(({ text }) => text.trimEnd().split("\n").length)
    .toSorted((one, other) => one - other);
const lines = linesOf("packages/testkit/");
const ofProduct = linesOf("packages/testkit/", "apps/harness/", "apps/bench/");
const ignored = execFileSync("git", ["ls-files", "-ic", "--exclude-standard"], { encoding: "utf8" });

const COUNT_REQUEST_FILES = ["--conditions=@postern/source", "apps/harness/src/request-files-main.ts"];
const requestFiles = JSON.parse(execFileSync(process.execPath, COUNT_REQUEST_FILES, { encoding: "utf8" }));

const figures = {
  "public names of the core": doors.reduce((sum, door) => sum + new Set(namesOf(door)).size, 0),
  "services of the core, beside ports": services.filter((one) => !isPort(one)).length,
  "ports of the core": services.filter(isPort).length,
  "domains of the core that export *": doors.filter((door) => /^export (type )?\*/m.test(readFileSync(door, "utf8")))
    .length,
  ...Object.fromEntries(Object.entries(requestFiles).map(([name, count]) => [`files that run for ${name}`, count])),
  "lines of a file": lines.at(-1),
  "lines of nine files in ten of the product": ofProduct[Math.floor(ofProduct.length * 0.9)],
  "imports of a room from one after it": sources.flatMap(importsFromAbove).length,
  "files without a place in .config/rooms.mjs": files.filter(hasNoPlace).length,
  "non-null assertions on the send path": sources
    .filter(({ file }) => SEND_PATH.test(file))
    .flatMap(({ file, text }) => nodesOf(treeOf(text, file), "TSNonNullExpression")).length,
  "committed files that .gitignore names": ignored.split("\n").filter(Boolean).length,
};

let faults = 0;
for (const [name, figure] of Object.entries(figures)) {
  const isTooHigh = !(figure <= MAX_FIGURES[name]);
  console.log(`${isTooHigh ? "TOO HIGH " : ""}${name}: ${figure} (at most ${MAX_FIGURES[name]})`);
  if (isTooHigh) faults++;
}

const folders = Map.groupBy(globSync("{packages,adapters,apps}/*/src/**/*.{ts,tsx,css}"), (file) => dirname(file));
for (const [folder, { length }] of folders) {
  const most = folder.startsWith(`${CORE}/`) ? MAX_FILES_OF_THE_CORE : MAX_FILES;
  if (length <= most || folder in GROWING) continue;
  console.log(`TOO HIGH ${folder}: ${length} files (at most ${most})`);
  faults++;
}
console.log(`looked at ${files.length} files`);
process.exit(faults > 0 ? 1 : 0);
