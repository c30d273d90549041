// Refuses a promise of docs/spec without a proof, and a proof of a promise that docs/spec does not have.
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { UNPROVEN } from "./unproven.mjs";

const PAGE = "docs/internals/promises.md";
/** The anchor of a promise; `[S9.3-4]` is the fourth promise of section 9.3. */
const ANCHOR = /\[(S\d+(?:\.\d+)?-\d+)\]/g;
/** The files with proofs: tests, contracts and the invariants of the simulation. */
const PROOFS = [
  "{packages,adapters,apps}/*/test/**/*.{ts,tsx}",
  "packages/testkit/src/contracts/**/*.ts",
  "apps/harness/src/cluster/invariants/**/*.ts",
];

/** Returns the text of a promise as one line: since the last anchor or empty line, or in the row of a table. */
const promiseAt = (text, at) => {
  const before = text.slice(0, at);
  const row = before.slice(before.lastIndexOf("\n") + 1);
  if (row.startsWith("|"))
    return row
      .slice(row.lastIndexOf("] ") + 1)
      .replace(/^[| ]+/, "")
      .trim();
  const begin = Math.max(before.lastIndexOf("\n\n"), before.lastIndexOf("] ", at - 2), before.lastIndexOf("]\n"));
  return before
    .slice(begin + 1)
    .replaceAll(/\s+/g, " ")
    .replace(/^[\] -]+/, "")
    .trim();
};

const promises = new Map();
const faults = [];
const pages = globSync("docs/spec/*.md").toSorted((one, other) => one.localeCompare(other, "en", { numeric: true }));
for (const page of pages) {
  const text = readFileSync(page, "utf8");
  for (const { 1: anchor, index } of text.matchAll(ANCHOR)) {
    if (promises.has(anchor)) faults.push(`${page}: ${anchor} is promised twice`);
    promises.set(anchor, { text: promiseAt(text, index), proofs: [] });
  }
}
const files = PROOFS.flatMap((pattern) => globSync(pattern)).toSorted();
for (const file of files) {
  for (const anchor of new Set([...readFileSync(file, "utf8").matchAll(ANCHOR)].map(([, found]) => found))) {
    const promise = promises.get(anchor);
    if (promise === undefined) faults.push(`${file}: docs/spec does not promise ${anchor}`);
    else promise.proofs.push(file.replaceAll("\\", "/"));
  }
}
for (const [anchor, { text, proofs }] of promises) {
  if (proofs.length === 0 && !(anchor in UNPROVEN)) faults.push(`docs/spec: no test proves ${anchor}: ${text}`);
  if (proofs.length > 0 && anchor in UNPROVEN)
    faults.push(`.config/unproven.mjs: ${anchor} is proven: delete the entry`);
}
for (const anchor of Object.keys(UNPROVEN)) {
  if (!promises.has(anchor)) faults.push(`.config/unproven.mjs: docs/spec does not promise ${anchor}`);
}

const linkTo = (file) => `[${file.replace(/^.*\//, "")}](../../${file})`;
const rows = [...promises].map(([anchor, { text, proofs }]) => {
  const proof = proofs.length > 0 ? proofs.map(linkTo).join(", ") : `unproven: ${UNPROVEN[anchor]}`;
  return `| ${anchor} | ${text.replaceAll("|", "\\|")} | ${proof} |`;
});
const page = `# Promises and their proofs

Each promise of [the specification](../spec/README.md) with the tests, contracts and invariants that fail when it is broken.
\`npm run check -- promises\` refuses a promise without a proof. \`npm run promises\` writes this page.

| promise | | proofs |
| --- | --- | --- |
${rows.join("\n")}
`;
if (process.argv[2] === "--write") writeFileSync(PAGE, page);
else if (readFileSync(PAGE, "utf8") !== page) faults.push(`${PAGE} is not what the sources say: run npm run promises`);
for (const fault of faults) console.log(fault);
console.log(`looked at ${files.length + pages.length} files`);
process.exit(faults.length > 0 ? 1 : 0);
