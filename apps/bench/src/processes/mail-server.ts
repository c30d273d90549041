import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Dovecot } from "@postern/testkit";
import { Effect } from "effect";
import { messages } from "./mailboxes.ts";

/** The generated accounts: the number of messages in INBOX and in each of 40 other folders. */
export const ACCOUNTS = [
  { user: "ten@bench.test", inbox: 10_000, folders: 40, each: 100 },
  { user: "hundred@bench.test", inbox: 100_000, folders: 0, each: 0 },
] as const;

export const PASSWORD = "bench";

/** The folder of generated mail, kept between runs and ignored by git. */
export const CACHE = join(import.meta.dirname, "../../.cache");

const VERSION = "1";

/** A private Dovecot with the generated accounts, made at the first run and then cached. */
export const mailServer = (say: (progress: string) => void) =>
  Effect.gen(function* () {
    const dovecot = yield* Dovecot;
    const mark = join(CACHE, `mail-${VERSION}`);
    for (const { user, inbox, folders, each } of ACCOUNTS) {
      yield* dovecot.setPassword(user, PASSWORD);
      if (existsSync(mark)) continue;
      say(`writing ${inbox.toLocaleString("en")} messages for ${user}`);
      yield* dovecot.deliver(user, "INBOX", messages(inbox, inbox));
      for (let n = 0; n < folders; n++) yield* dovecot.deliver(user, folderName(n), messages(each, n));
    }
    mkdirSync(CACHE, { recursive: true });
    writeFileSync(mark, "");
    return dovecot;
  });

const folderName = (n: number): string => (n % 5 === 4 ? `Project ${n - 1}/Part ${n}` : `Project ${n}`);
