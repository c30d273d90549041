import { expect, it } from "vitest";
import { type FuzzedReader, fuzzReader, MAX_TURN_MILLIS } from "../src/index.ts";

/** Reads `name=value; name=value`, with a fault in it or none. */
const reader = (fault: (text: string) => unknown): FuzzedReader => ({
  name: "a planted reader",
  corpus: ["size=12; name=x  y; (a (b c))", "count=3"],
  read: (input) => fault(input.toString("latin1")),
});

const run = (fault: (text: string) => unknown) => fuzzReader(reader(fault), { seed: 1, count: 2_000 });

it("finds a regular expression that is quadratic", async () => {
  const { slowest, thrown } = await run((text) => text.slice(0, 16_384).replace(/ +$/, ""));
  expect(slowest.millis).toBeGreaterThan(MAX_TURN_MILLIS);
  expect(thrown).toEqual([]);
});

it("finds an index that is not guarded", async () => {
  const { thrown } = await run((text) => text.split("; ").map((field) => field.split("=")[1]!.trim()));
  expect(thrown.map(({ fault }) => fault)).toEqual([expect.stringContaining("TypeError: Cannot read properties")]);
});

it("finds a recursion without a bound", async () => {
  const depthOf = (text: string, at = 0): number =>
    text[at] === undefined ? 0 : 1 + depthOf(text, text.indexOf("(", at) + 1 || text.length);
  const { thrown } = await run((text) => depthOf(text));
  expect(thrown.map(({ fault }) => fault)).toEqual([expect.stringContaining("RangeError: Maximum call stack")]);
});

it("finds nothing in a reader without these faults", async () => {
  const { thrown, slowest, inputs } = await run((text) =>
    text.split("; ").map((field) => field.split("=")[1]?.trimEnd()),
  );
  expect(thrown).toEqual([]);
  expect(slowest.millis).toBeLessThan(MAX_TURN_MILLIS);
  expect(inputs).toBe(2_002);
});

it("waits for the promise of a reader, and reports its rejection", async () => {
  const declared = new Error("declared");
  const { thrown } = await fuzzReader(
    {
      ...reader(async (text) => {
        await Promise.resolve();
        throw text.includes("(") ? declared : new Error("undeclared");
      }),
      declares: (error) => error === declared,
    },
    { seed: 1, count: 10 },
  );
  expect(thrown.map(({ fault }) => fault)).toEqual([expect.stringContaining("Error: undeclared")]);
});

it("makes the same inputs from the same seed", async () => {
  const seen = async (seed: number) => {
    const inputs: Array<string> = [];
    await fuzzReader(
      // A turn that takes long is measured again, with the same input.
      reader((text) => text !== inputs.at(-1) && inputs.push(text)),
      { seed, count: 500 },
    );
    return inputs;
  };
  const [first, again, other] = [await seen(7), await seen(7), await seen(8)];
  expect(again).toEqual(first);
  expect(other).not.toEqual(first);
});
