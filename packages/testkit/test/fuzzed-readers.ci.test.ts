import { globSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type FuzzedReader, fuzzReader, MAX_TURN_MILLIS } from "../src/index.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const FILES = globSync("{packages,adapters}/*/test/fuzzed-readers.ts", { cwd: ROOT }).toSorted();
/** The number of inputs for each reader, which take some seconds in all; `npm run fuzz` reads more. */
const INPUTS = 1_000;
/** The factor of the time limit, because other tests run at the same time and double the CPU time of an input. `npm run fuzz` has the limit without a factor. */
const BUSY = 4;

// One after the other: imports at the same time may require a module that is not loaded yet.
const readers: Array<FuzzedReader> = [];
for (const file of FILES) readers.push(...(await import(`${ROOT}${file}`)).readers);
const shown = (input: Buffer): string => JSON.stringify(input.toString("latin1").slice(0, 500));

describe("a reader of foreign input", () => {
  it.each(readers)(
    "$name throws nothing that it does not declare, and reads each input in its time",
    async (reader) => {
      const { thrown, slowest } = await fuzzReader(reader, {
        seed: 1,
        count: Math.ceil(INPUTS / (reader.weight ?? 1)),
      });
      expect(thrown.map(({ fault, input }) => `${fault}: ${shown(input)}`)).toEqual([]);
      expect(slowest.millis, shown(slowest.input)).toBeLessThan(BUSY * (reader.maxMillis ?? MAX_TURN_MILLIS));
    },
  );

  it("has a name of its own, by which `npm run fuzz` finds it", () => {
    const names = readers.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(FILES.length).toBeGreaterThan(0);
  });
});
