// Type-checks programs, one after the other, with the compiler of the Effect language service, which also reports
// effects that are never run. Also checks that the declarations of published packages can be written, which would
// otherwise fail only at the release. The compiler is downloaded at the first run, because `npm start` does not need
// its 160 MB.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { relative, resolve } from "node:path";

const COMPILER = "npx --yes @effect/tsgo@0.45.0 get-exe-path".split(" ");
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

const compiler = run(COMPILER[0], COMPILER.slice(1)).stdout.trim();
let suggestions = 0;
for (const program of process.argv.slice(2)) {
  const { stdout, status } = run(compiler, ["-p", program, "--declaration", "--pretty", "false"]);
  const found = stdout.split(/\n(?! )/).filter((text) => text.trim() !== "");
  const faults = found.filter(isFault);
  suggestions += found.filter((text) => /: suggestion .* effect\(\w+\)$/.test(text)).length;
  if (faults.length > 0) console.log(faults.join("\n"));
  if (faults.length > 0 || (status !== 0 && found.length === 0)) process.exitCode = 1;
}
console.log(`looked at effects: ${suggestions} suggestions`);
