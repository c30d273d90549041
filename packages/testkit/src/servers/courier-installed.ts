import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "vitest";

/** The folder into which `.ci/unpack-courier` unpacks Debian's packages. */
export const COURIER_FOLDER = join(import.meta.dirname, "../../.cache/courier");

/**
 * Declares a suite that needs a Courier. If it is missing, the suite fails under `CI=true`; otherwise it is skipped with a
 * warning on stderr.
 */
export const describeWithCourier = (name: string, body: () => void): void => {
  if (existsSync(join(COURIER_FOLDER, "usr/bin/imapd"))) {
    describe(name, body);
    return;
  }
  const reason = "Courier is missing: run .ci/unpack-courier (Debian 12)";
  if (process.env["CI"] === "true") {
    describe(name, () => {
      it("runs against Courier", () => {
        throw new Error(reason);
      });
    });
    return;
  }
  process.stderr.write(`\n*** NOT RUN: ${name}: ${reason}\n\n`);
  describe.skip(`${name} (NOT RUN: ${reason})`, body);
};
