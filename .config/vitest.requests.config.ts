import { defineConfig } from "vitest/config";
import { fromSources } from "./from-sources.ts";

/** 100,000 generated requests to the real process: minutes. */
export default defineConfig({
  ...fromSources,
  test: {
    name: "requests",
    include: ["apps/*/test/**/*.requests.ts"],
    testTimeout: 60 * 60_000,
    hookTimeout: 60_000,
    fileParallelism: false,
  },
});
