import { existsSync } from "node:fs";
import { describeWith } from "./describe-with.ts";

/** The programs of Debian's two packages. With only the first package, the server starts but serves no IMAP. */
const PROGRAMS = ["/usr/sbin/dovecot", "/usr/lib/dovecot/imap-login"];

/** Declares a suite that needs a Dovecot: see `describeWith`. */
export const describeWithDovecot = (name: string, body: () => void): void => {
  const missing = PROGRAMS.filter((path) => !existsSync(path));
  const reason = `${missing.join(" and ")} missing: install dovecot-imapd (2.3)`;
  describeWith("Dovecot", missing.length === 0 ? undefined : reason, name, body);
};
