import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "vitest";

/** Where `.ci/unpack-cyrus` puts Debian's packages. */
export const CYRUS_FOLDER = join(import.meta.dirname, "../.cache/cyrus");

/**
 * A suite that needs a real Cyrus. Where it is not unpacked the suite fails under `CI=true`; elsewhere it says loudly
 * that it did not run, and is reported as skipped.
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
