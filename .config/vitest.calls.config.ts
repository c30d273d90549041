import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { defineConfig } from "vitest/config";
import { fromSources } from "./from-sources.ts";
import { recordCalls } from "./functions.mjs";

const SOURCE = /\/(?:packages|adapters)\/[^/]+\/src\/.*\.ts$/;

/** Records which functions of the sources each fast test calls, for `npm run mutants`. */
export default defineConfig({
  ...fromSources,
  plugins: [
    {
      name: "record-calls",
      enforce: "pre",
      load: (id) => (SOURCE.test(id) ? recordCalls(relative(".", id), readFileSync(id, "utf8")) : undefined),
      configureVitest: ({ defineCacheKeyGenerator }) =>
        defineCacheKeyGenerator(({ id }) => (SOURCE.test(id) ? false : undefined)),
    },
  ],
  test: {
    isolate: false,
    maxWorkers: 1,
    include: ["{packages,adapters,apps}/*/test/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/*.{integration,nightly}.test.ts"],
    setupFiles: [".config/record-calls.setup.ts"],
    testTimeout: 120_000,
    reporters: [],
  },
});
