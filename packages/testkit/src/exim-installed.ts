import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "vitest";

/** Where `.ci/unpack-exim` puts Debian's packages. */
export const EXIM_FOLDER = join(import.meta.dirname, "../.cache/exim");

/**
 * A suite that needs a real mail server to send through. Where it is not unpacked the suite fails under `CI=true`;
 * elsewhere it says loudly that it did not run, and is reported as skipped.
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
