import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const SOURCES = join(import.meta.dirname, "../src");

/**
 * Properties and values that name a side of the screen. Pages must not use them, because some run from right to left.
 */
const PHYSICAL =
  /(?:^|[;{]|\*\/)\s*(?:(?:[\w-]+-)?(?:left|right)(?:-[\w-]+)?\s*:|(?:text-align|float|clear)\s*:\s*(?:left|right)\b)[^;}]*/g;

/** Shorthands of four sides. Their second value is for the right, the fourth for the left. */
const FOUR_SIDES =
  /(?:^|[;{]|\*\/)\s*(?:margin|padding|inset|border-(?:width|color|style)|scroll-(?:margin|padding))\s*:\s*([^;}]+)/g;

/** Returns the values of a shorthand. An expression in brackets is one value. */
const valuesOf = (text: string): ReadonlyArray<string> =>
  text.trim().match(/(?:[^\s()]|\((?:[^()]|\([^()]*\))*\))+/g) ?? [];

const faultsOf = (css: string): ReadonlyArray<string> => [
  ...[...css.matchAll(PHYSICAL)].map(([text]) => text),
  ...[...css.matchAll(FOUR_SIDES)].flatMap(([text, values]) => {
    const [, right, , left] = valuesOf(values!);
    return left === undefined || left === right ? [] : [text];
  }),
];

test("finds sides of the screen, and no others", () => {
  expect(faultsOf("a { left: 0; border-left: 0; padding-right: 1px; border-top-left-radius: 1px }")).toHaveLength(4);
  expect(faultsOf("a { text-align: left; margin: 0 1px 0 calc(-1 * var(--s)) }")).toHaveLength(2);
  expect(faultsOf("a { margin: 0 1px 0 1px; inset-inline-start: 0; text-align: start; padding: 0 1px }")).toEqual([]);
});

test("the styles of the console name the begin and end of the line, and no side of the screen", () => {
  const files = globSync("**/*.css", { cwd: SOURCES });
  expect(files.length).toBeGreaterThan(10);
  expect(
    files.flatMap((file) => faultsOf(readFileSync(join(SOURCES, file), "utf8")).map((fault) => `${file} ${fault}`)),
  ).toEqual([]);
});
