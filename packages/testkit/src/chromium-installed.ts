import { existsSync } from "node:fs";
import { describe, it } from "vitest";

/** Debian's browser. */
export const CHROMIUM = "/usr/bin/chromium";

/**
 * A suite that needs a real browser. Where it is not installed the suite fails under `CI=true`; elsewhere it says loudly
 * that it did not run, and is reported as skipped.
 */
export const describeWithChromium = (name: string, body: () => void): void => {
  if (existsSync(CHROMIUM)) {
    describe(name, body);
    return;
  }
  const reason = `${CHROMIUM} missing: install chromium`;
  if (process.env["CI"] === "true") {
    describe(name, () => {
      it("runs in Chromium", () => {
        throw new Error(reason);
      });
    });
    return;
  }
  process.stderr.write(`\n*** NOT RUN: ${name}: ${reason}\n\n`);
  describe.skip(`${name} (NOT RUN: ${reason})`, body);
};
