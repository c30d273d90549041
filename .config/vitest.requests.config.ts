import { defineConfig } from "vitest/config";

/** 100,000 generated requests to the real process: minutes. */
export default defineConfig({
  test: {
    name: "requests",
    include: ["apps/*/test/**/*.requests.ts"],
    testTimeout: 60 * 60_000,
    hookTimeout: 60_000,
    fileParallelism: false,
  },
});
