// Type-checks programs, one after the other, with the compiler of the Effect language service, which also reports
// effects that are never run. Also checks that the declarations of published packages can be written, which would
// otherwise fail only at the release.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { relative, resolve } from "node:path";

const UNNAMED = "TS2883";

const run = (command, options) => {
  const { stdout, stderr, status, error } = spawnSync(command, options, { encoding: "utf8", maxBuffer: 1 << 26 });
  if (error !== undefined) throw error;
  if (stderr !== "") console.error(stderr);
  return { stdout, status };
};

const isPublished = (file) => {
  const [, workspace] = /^((?:packages|adapters|apps)\/[^/]+)\/src\//.exec(file) ?? [];
  return workspace !== undefined && !JSON.parse(readFileSync(`${workspace}/package.json`, "utf8")).private;
};

const isFault = (text) => {
  const [, file, kind] = /^(.+?)\(\d+,\d+\): (\w+) /.exec(text) ?? [];
  if (file === undefined) return true;
  if (kind !== "error" && kind !== "warning") return false;
  // Faults in declarations that are not published do not count.
  return !text.includes(`error ${UNNAMED}`) || isPublished(relative("", resolve(file)));
};

const compiler = run("effect-tsgo", ["get-exe-path"]).stdout.trim();
let suggestions = 0;
const all = new Set();
for (const program of process.argv.slice(2)) {
  const { stdout, status } = run(compiler, ["-p", program, "--declaration", "--pretty", "false"]);
  const found = stdout.split(/\n(?! )/).filter((text) => text.trim() !== "");
  const bad = found.filter(isFault);
  // Programs that share sources report the same faults.
  const faults = bad.filter((fault) => !all.has(fault));
  for (const fault of faults) all.add(fault);
  suggestions += found.filter((text) => /: suggestion .* effect\(\w+\)$/.test(text)).length;
  if (faults.length > 0) console.log(faults.join("\n"));
  if (bad.length > 0 || (status !== 0 && found.length === 0)) process.exitCode = 1;
}
// One missing error causes many faults. A place for which the compiler lists several errors is only a consequence.
const listed = [...all].flatMap((fault) => {
  const [, place, errors] = /^(\S+): error \w+: Missing errors (.+) in the expected/.exec(fault) ?? [];
  return place === undefined ? [] : [{ place, errors }];
});
const consequences = new Set(listed.flatMap(({ place, errors }) => (errors.includes("|") ? place : [])));
const missing = listed.flatMap(({ place, errors }) => (consequences.has(place) ? [] : errors));
const MISSING_ADVICE = "add it to the type of the use case, or answer it (CONTRIBUTING.md, Add an error code)";
if (missing.length > 0) console.log(`missing errors: ${[...new Set(missing)].join(", ")}: ${MISSING_ADVICE}`);
console.log(`looked at effects: ${suggestions} suggestions`);
