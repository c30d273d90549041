import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "vitest";

/** The folder into which `.ci/unpack-exim` unpacks Debian's packages. */
export const EXIM_FOLDER = join(import.meta.dirname, "../../.cache/exim");

/**
 * Declares a suite that needs an Exim. If it is missing, the suite fails under `CI=true`; otherwise it is skipped with a
 * warning on stderr.
 */
export const describeWithExim = (name: string, body: () => void): void => {
  if (existsSync(join(EXIM_FOLDER, "usr/sbin/exim4"))) {
    describe(name, body);
    return;
  }
  const reason = "Exim is missing: run .ci/unpack-exim (Debian 12)";
  if (process.env["CI"] === "true") {
    describe(name, () => {
      it("runs against Exim", () => {
        throw new Error(reason);
      });
    });
    return;
  }
  process.stderr.write(`\n*** NOT RUN: ${name}: ${reason}\n\n`);
  describe.skip(`${name} (NOT RUN: ${reason})`, body);
};
