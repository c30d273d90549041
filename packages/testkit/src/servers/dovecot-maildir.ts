import { chownSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DovecotSettings } from "./dovecot-config.ts";
import { encodeMailboxName } from "./mail-names.ts";

export interface DeliveredMessage {
  readonly raw: string | Uint8Array;
  /** INTERNALDATE as epoch milliseconds. */
  readonly arrivedAt: number;
  /** Maildir's flag letters in alphabetical order, such as `RS`. */
  readonly flags?: string;
}

/** Writes messages into a Maildir; they get UIDs in this order. */
export const deliverToMaildir = (
  { home, user, separator }: DovecotSettings,
  account: string,
  path: string,
  messages: Iterable<DeliveredMessage>,
): void => {
  const own = (name: string) => chownSync(name, user.uid, user.gid);
  const make = (...parts: ReadonlyArray<string>) => {
    let at = home;
    for (const part of parts) {
      at = join(at, part);
      mkdirSync(at, { recursive: true });
      own(at);
    }
    return at;
  };
  const within = path === "INBOX" ? [] : path.split(separator).map(encodeMailboxName);
  const parts = [account, "Maildir", ...within];
  for (const name of ["new", "tmp"]) make(...parts, name);
  const current = make(...parts, "cur");
  let n = 0;
  for (const { raw, arrivedAt, flags = "" } of messages) {
    // Dovecot assigns UIDs in the order of file names, which begin with a time.
    const name = join(current, `${1_000_000_000 + n}.M${String(n++).padStart(9, "0")}.test:2,${flags}`);
    writeFileSync(name, raw);
    utimesSync(name, arrivedAt / 1000, arrivedAt / 1000);
    own(name);
  }
};
