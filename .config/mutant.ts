import { readFileSync } from "node:fs";
import type { Plugin } from "vitest/config";

/** A fault in one source file: what replaces its text from `start` to `end`. */
export interface Mutant {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly by: string;
}

/** Loads one source file with the fault that `planted` returns; the file itself stays as it is. */
export const mutant = (planted: () => Mutant | undefined): Plugin => ({
  name: "mutant",
  enforce: "pre",
  load: (id) => {
    const fault = planted();
    if (id !== fault?.path) return undefined;
    const text = readFileSync(id, "utf8");
    return text.slice(0, fault.start) + fault.by + text.slice(fault.end);
  },
  // Transformed files are cached across processes by their text on disk.
  configureVitest: ({ defineCacheKeyGenerator }) =>
    defineCacheKeyGenerator(({ id }) => (id === planted()?.path ? false : undefined)),
});
