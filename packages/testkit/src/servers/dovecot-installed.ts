import { existsSync } from "node:fs";
import { describe, it } from "vitest";

/** Debian splits these over two packages; the first alone starts but serves no IMAP. */
const NEEDED = ["/usr/sbin/dovecot", "/usr/lib/dovecot/imap-login"];

/**
 * Declares a suite that needs a Dovecot. If it is missing, the suite fails under `CI=true`; otherwise it is skipped with
 * a warning on stderr.
 */
export const describeWithDovecot = (name: string, body: () => void): void => {
  const missing = NEEDED.filter((path) => !existsSync(path));
  if (missing.length === 0) {
    describe(name, body);
    return;
  }
  const reason = `${missing.join(" and ")} missing: install dovecot-imapd (2.3)`;
  if (process.env["CI"] === "true") {
    describe(name, () => {
      it("runs against Dovecot", () => {
        throw new Error(reason);
      });
    });
    return;
  }
  process.stderr.write(`\n*** NOT RUN: ${name}: ${reason}\n\n`);
  describe.skip(`${name} (NOT RUN: ${reason})`, body);
};
