import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const PAGE = join(ROOT, "docs/glossary.md");

const filesIn = (folder: string, kind: RegExp): ReadonlyArray<string> =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && kind.test(entry.name) && !/node_modules|dist/.test(entry.parentPath))
    .map((entry) => join(entry.parentPath, entry.name));

const terms = [...readFileSync(PAGE, "utf8").matchAll(/^\| (?!term |-)([^|]+) \| [A-Z][^|]+\. \|$/gm)].map(
  ([, term]) => term!,
);

/** Returns the sort key of a term: case-insensitive, with `-` as a space. */
const sorted = terms.toSorted((a, b) => {
  const [one, other] = [a, b].map((term) => term.toLowerCase().replaceAll("-", " "));
  return one! < other! ? -1 : Number(one! > other!);
});

it("docs/glossary.md defines each term once, in the order of the alphabet", () => {
  expect(terms.length).toBeGreaterThan(50);
  expect(terms).toEqual(sorted);
  expect(new Set(terms).size).toBe(terms.length);
});

it("docs/glossary.md defines no term that other pages and the code do not use", () => {
  const files = [...filesIn("docs", /\.md$/), ...filesIn("packages/core", /\.ts$/)].filter((file) => file !== PAGE);
  const text = files.map((file) => readFileSync(file, "utf8")).join("\n");
  const words = terms.flatMap((term) => term.replace(/ \(.*\)$/, "").split(", "));
  expect(words.filter((word) => !new RegExp(`${word}s?\\b`, "i").test(text))).toEqual([]);
});
