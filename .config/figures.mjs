// Counts what a newcomer has to know, and refuses more of it than there was.
import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { treeOf } from "./syntax-tree.mjs";

/** The most that there may be: what was last reached. A change that removes some lowers its figure. */
const MOST = {
  "public names of the core": 605,
  "services of the core, beside ports": 73,
  "ports of the core": 61,
  "domains of the core that export *": 0,
  "files that run for sign-in": 39,
  "files that run for a page of INBOX": 45,
  "files that run for sending": 86,
  "files in a folder": 68,
  "lines of a file": 250,
};

const CORE = "packages/core";

/** The names that a module shows, those behind its `export *` included. */
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
const rooms = Map.groupBy(files, (file) => dirname(file));
const linesOf = ({ file, text }) => (file.startsWith("packages/testkit/") ? 0 : text.trimEnd().split("\n").length);

const COUNT_REQUEST_FILES = ["--conditions=@postern/source", "apps/harness/src/request-files-main.ts"];
const requestFiles = JSON.parse(execFileSync(process.execPath, COUNT_REQUEST_FILES, { encoding: "utf8" }));

const figures = {
  "public names of the core": doors.reduce((sum, door) => sum + new Set(namesOf(door)).size, 0),
  "services of the core, beside ports": services.filter((one) => !isPort(one)).length,
  "ports of the core": services.filter(isPort).length,
  "domains of the core that export *": doors.filter((door) => /^export (type )?\*/m.test(readFileSync(door, "utf8")))
    .length,
  ...Object.fromEntries(Object.entries(requestFiles).map(([name, count]) => [`files that run for ${name}`, count])),
  "files in a folder": Math.max(...[...rooms.values()].map((room) => room.length)),
  "lines of a file": Math.max(...sources.map(linesOf)),
};

let faults = 0;
for (const [name, figure] of Object.entries(figures)) {
  console.log(`${name}: ${figure} (at most ${MOST[name]})`);
  if (!(figure <= MOST[name])) faults++;
}
console.log(`looked at ${files.length} files`);
process.exit(faults > 0 ? 1 : 0);
