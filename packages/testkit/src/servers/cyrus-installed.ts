import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "vitest";

/** The folder into which `.ci/unpack-cyrus` unpacks Debian's packages. */
export const CYRUS_FOLDER = join(import.meta.dirname, "../../.cache/cyrus");

/**
 * Declares a suite that needs a Cyrus. If it is missing, the suite fails under `CI=true`; otherwise it is skipped with a
 * warning on stderr.
 */
export const describeWithCyrus = (name: string, body: () => void): void => {
  if (existsSync(join(CYRUS_FOLDER, "usr/lib/cyrus/bin/master"))) {
    describe(name, body);
    return;
  }
  const reason = "Cyrus is missing: run .ci/unpack-cyrus (Debian 12)";
  if (process.env["CI"] === "true") {
    describe(name, () => {
      it("runs against Cyrus", () => {
        throw new Error(reason);
      });
    });
    return;
  }
  process.stderr.write(`\n*** NOT RUN: ${name}: ${reason}\n\n`);
  describe.skip(`${name} (NOT RUN: ${reason})`, body);
};
