import { Clock, Effect, Layer } from "effect";
import type { MailAccount } from "../mail/MailAccount.ts";
import type { Mailbox } from "../mail/Mailbox.ts";
import { MailServerInMemory, MailWorld } from "../mail/MailWorld.ts";
import { type Composition, compose } from "./compose.ts";
import { FILES } from "./files.ts";
import { type Letter, LETTERS, LONG_SUBJECT, OLD_MAIL } from "./letters.ts";
import { LISTS, PEOPLE } from "./people.ts";

/** Who may sign in at the sandbox (decisions 1). */
export const demoAccounts = [
  { address: "demo@postern.test", name: "Demo", password: "demo" },
  { address: "friend@postern.test", name: "Friend", password: "demo" },
] as const;

const INBOX_MESSAGES = 260;
const DAY = 24 * 3600 * 1000;

/** Folders of the demo account, in several scripts and nested, with how much mail lies in each. */
const FOLDERS = [
  ["Projects", 4],
  ["Projects/2026", 12],
  ["Projects/2026/Räume", 3],
  ["Reçus & factures", 8],
  ["日本語", 5],
  ["Ελληνικά", 4],
  ["Архив/Старое", 6],
] as const;

/** The mail server of the sandbox, with a year of mail before now; another UIDVALIDITY at every start. */
export const SandboxMailWorld = Layer.effect(
  MailWorld,
  Effect.map(Clock.currentTimeMillis, (now) => {
    const world = new MailServerInMemory(Math.floor(now / 1000));
    const [demo, friend] = demoAccounts.map(({ address, password }) => world.addAccount(address, password));
    fillDemo(demo!, now);
    fill(friend!.find("INBOX")!.mailbox!, 12, now, { to: "Friend <friend@postern.test>", seed: 7 });
    return world;
  }),
);

const DEMO = "Demo <demo@postern.test>";

const fillDemo = (account: MailAccount, now: number): void => {
  const inbox = account.find("INBOX")!.mailbox!;
  fill(inbox, INBOX_MESSAGES, now, { to: DEMO, seed: 1 });
  OLD_MAIL.forEach(({ subject, charset, text, bytes }, n) =>
    deliver(inbox, now - n * DAY - 3600_000, {
      from: PEOPLE[n]!,
      to: [DEMO],
      subject,
      id: `<old-${n}@postern.test>`,
      text,
      charset: { name: charset, bytes: bytes(text) },
    }),
  );
  deliver(inbox, now - 2 * 3600_000, {
    from: "Builder <build@northwind.test>",
    to: [DEMO],
    subject: LONG_SUBJECT,
    id: "<long@postern.test>",
    text: "All green.",
  });
  deliver(inbox, now - 60_000, {
    from: "Postern <hello@postern.test>",
    to: [DEMO],
    subject: "Welcome to the sandbox",
    id: "<welcome@postern.test>",
    text: "This mailbox lives in memory: it is made anew each time the service starts, and nothing leaves it.",
  });
  for (const [path, count] of FOLDERS) fill(account.create(path), count, now, { to: DEMO, seed: path.length });
  fill(account.find("Sent")!.mailbox!, 15, now, { to: PEOPLE[0]!, from: DEMO, seed: 3 });
  fill(account.find("Drafts")!.mailbox!, 2, now, { to: PEOPLE[1]!, from: DEMO, seed: 5, flags: ["\\Draft", "\\Seen"] });
  fill(account.find("Junk")!.mailbox!, 5, now, { to: DEMO, seed: 11 });
};

interface Filling {
  readonly to: string;
  readonly from?: string;
  readonly seed: number;
  readonly flags?: ReadonlyArray<string>;
}

/** Fills a mailbox with mail spread over the year before now; the same seed writes the same mail. */
const fill = (mailbox: Mailbox, count: number, now: number, { to, from, seed, flags }: Filling): void => {
  for (let n = 0; n < count; n++) {
    const turn = n * 7 + seed;
    const arrivedAt = now - Math.floor(((count - n) * 360 * DAY) / count);
    const id = `<${seed}.${mailbox.uidValidity}.${n}@postern.test>`;
    const message =
      turn % 9 === 0 && from === undefined
        ? newsletter(turn, to, id)
        : letter(LETTERS[turn % LETTERS.length]!, turn, to, from, id);
    const reply = n > 0 && turn % 5 === 0 ? { inReplyTo: `<${seed}.${mailbox.uidValidity}.${n - 1}@postern.test>` } : {};
    deliver(mailbox, arrivedAt, { ...message, ...reply }, flags ?? flagsOf(turn, n / count));
  }
};

/** The older a message, the surer it was read. */
const flagsOf = (turn: number, age: number): ReadonlyArray<string> => [
  ...(turn % 10 < 9 - age * 5 ? ["\\Seen"] : []),
  ...(turn % 13 === 0 ? ["\\Flagged"] : []),
  ...(turn % 6 === 0 ? ["\\Answered"] : []),
];

const letter = (written: Letter, turn: number, to: string, from: string | undefined, id: string): Draft => {
  const { subject, text, html, file } = written;
  return {
    from: from ?? PEOPLE[turn % PEOPLE.length]!,
    to: turn % 4 === 0 ? [to, PEOPLE[(turn + 1) % PEOPLE.length]!] : [to],
    ...(turn % 8 === 0 ? { cc: [PEOPLE[(turn + 2) % PEOPLE.length]!] } : {}),
    subject,
    id,
    text,
    ...(html === undefined ? {} : { html }),
    ...(file === undefined ? {} : { files: [FILES[file]] }),
  };
};

const newsletter = (turn: number, to: string, id: string): Draft => {
  const { from, list, topic } = LISTS[turn % LISTS.length]!;
  const text = `${topic}.\n\nYou get this because you asked for it.`;
  return {
    from,
    to: [to],
    subject: `${topic} (no. ${turn})`,
    id,
    text,
    html: `<h1>${topic}</h1><p>You get this because you asked for it.</p>`,
    headers: [["List-Id", `<${list}>`], ["List-Unsubscribe", `<mailto:leave@${list}>`]],
  };
};

type Draft = Omit<Composition, "sentAt">;

const deliver = (mailbox: Mailbox, at: number, draft: Draft, flags: ReadonlyArray<string> = []): void => {
  const arrivedAt = Math.floor(at / 1000) * 1000;
  mailbox.append(compose({ ...draft, sentAt: arrivedAt - 4000 }), arrivedAt, flags);
};
