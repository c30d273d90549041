// Refuses a citation of a section that docs/spec does not have: `spec 4.3` in code and pages.
import { globSync, readFileSync } from "node:fs";

const pages = globSync("docs/spec/*.md").map((page) => readFileSync(page, "utf8"));
const sections = new Set(pages.flatMap((text) => [...text.matchAll(/^#+ (\d+(?:\.\d+)?)[. ]/gm)].map(([, n]) => n)));

const CITATION = /\b[Ss]pec ((?:\d+(?:\.\d+)?)(?:(?:, | and )\d+(?:\.\d+)?)*)/g;

const files = [
  "packages/*/{src,test}/**/*.ts",
  "adapters/*/{src,test}/**/*.ts",
  "apps/*/{src,test}/**/*.{ts,tsx}",
  "docs/*.md",
].flatMap((pattern) => globSync(pattern));
const missing = files.flatMap((file) =>
  [...readFileSync(file, "utf8").matchAll(CITATION)]
    .flatMap(([, list]) => list.split(/, | and /))
    .filter((section) => !sections.has(section))
    .map((section) => `${file}: docs/spec has no section ${section}`),
);
for (const line of missing) console.log(line);
console.log(`looked at ${files.length} files for ${sections.size} sections`);
process.exit(missing.length > 0 ? 1 : 0);
