import { defineConfig } from "vitest/config";
import { fromSources } from "./from-sources.ts";

/** Real providers on the internet, with an account of the person who runs it. No other test leaves the machine. */
export default defineConfig({
  ...fromSources,
  test: {
    name: "live",
    include: ["apps/*/test/**/*.live.ts"],
    testTimeout: 16 * 60_000,
    fileParallelism: false,
  },
});
