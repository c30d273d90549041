import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { PROBLEMS } from "../src/texts/problem-texts.ts";

const page = readFileSync(new URL("../../../docs/reference/errors.md", import.meta.url), "utf8");

test("every code of the contract has its title and advice in the languages of the console [S15.9-4]", () => {
  const titles = [...page.matchAll(/^### `(\w+)`$[^]*?^ {2}"title": "(.+)",$/gm)].map(([, code, title]) => [
    code,
    title,
  ]);
  expect(titles.length).toBeGreaterThan(100);
  expect(Object.entries(PROBLEMS).map(([code, [title]]) => [code, title])).toEqual(titles);
  for (const [, advice] of Object.values(PROBLEMS)) expect(advice).toMatch(/^[A-Z].+\.$/);
});
