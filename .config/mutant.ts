import { readFileSync } from "node:fs";
import type { Plugin } from "vitest/config";

/** Loads one source file with the fault that `MUTANT` describes; the file itself stays as it is. */
export const mutant = (planted: string): Plugin => {
  const { path, start, end, by } = JSON.parse(planted);
  return {
    name: "mutant",
    enforce: "pre",
    load: (id) => {
      if (id !== path) return undefined;
      const text = readFileSync(path, "utf8");
      return text.slice(0, start) + by + text.slice(end);
    },
    // Transformed files are cached across processes by their text on disk.
    configureVitest: ({ defineCacheKeyGenerator }) =>
      defineCacheKeyGenerator(({ id }) => (id === path ? false : undefined)),
  };
};
