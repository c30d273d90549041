import { existsSync } from "node:fs";
import { describe, it } from "vitest";

/** The path of Debian's Chromium. */
export const CHROMIUM = "/usr/bin/chromium";

/**
 * Declares a suite that needs a browser. If Chromium is missing, it fails under `CI=true`; otherwise it is skipped with a
 * warning on stderr.
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
