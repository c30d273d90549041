import { defineConfig } from "vitest/config";
import { fromSources } from "./from-sources.ts";

/** Faults provoked on the real process, against servers that record the truth: minutes, one after the other. */
export default defineConfig({
  ...fromSources,
  test: {
    name: "faults",
    include: ["{adapters,apps}/*/test/**/*.faults.ts"],
    testTimeout: 30 * 60_000,
    hookTimeout: 60_000,
    fileParallelism: false,
  },
});
