import { globSync } from "node:fs";
import type { Reporter, Vitest } from "vitest/node";

const { CI, NIGHTLY } = process.env;

/** Whether this run leaves the `.ci.` files to CI: it is not CI or `npm run nightly`, and its arguments name none of them. */
export const leftToCI = CI !== "true" && NIGHTLY === undefined && !process.argv.some((one) => /\.ci\b/.test(one));

/** Says at the end of a run which of its files it left to CI. */
export class NamesLeftToCI implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(): void {
    // Known only after the start.
    const asked = this.#vitest?.filenamePattern ?? [""];
    const files = globSync("{packages,adapters,apps}/*/test/**/*.ci.**").filter((file) =>
      asked.some((one) => file.includes(one)),
    );
    if (!leftToCI || files.length === 0) return;
    console.warn(`\nNOT RUN, because CI is not set (CI=true npm test runs them):\n${files.toSorted().join("\n")}\n`);
  }
}
