import { globSync } from "node:fs";
import type { Reporter } from "vitest/reporters";

const { CI, NIGHTLY } = process.env;

/** Whether this run leaves the `.ci.` files to CI: it is not CI or `npm run nightly`, and its arguments name none of them. */
export const leftToCI = CI !== "true" && NIGHTLY === undefined && !process.argv.some((one) => one.includes(".ci."));

/** Says at the end of a run which files it left to CI. */
export const namesOnlyCI: Reporter = {
  onTestRunEnd: () => {
    if (!leftToCI) return;
    const files = globSync("{packages,adapters,apps}/*/test/**/*.ci.**").toSorted();
    console.warn(`\nNOT RUN, because CI is not set (CI=true npm test runs them):\n${files.join("\n")}\n`);
  },
};
