import { describe, it } from "vitest";

/**
 * Declares a suite that needs a program of this machine. If the program is missing, for the reason `missing`, the suite
 * fails under `CI=true` and is otherwise skipped with a warning on stderr.
 */
export const describeWith = (program: string, missing: string | undefined, name: string, body: () => void): void => {
  if (missing === undefined) {
    describe(name, body);
    return;
  }
  if (process.env["CI"] === "true") {
    describe(name, () => {
      it(`runs with ${program}`, () => {
        throw new Error(missing);
      });
    });
    return;
  }
  process.stderr.write(`\n*** NOT RUN: ${name}: ${missing}\n\n`);
  describe.skip(`${name} (NOT RUN: ${missing})`, body);
};
