import { setTimeout } from "node:timers/promises";
import { assert, it } from "@effect/vitest";
import { MailboxTree } from "@postern/core/folders";
import { InboxWatch } from "@postern/core/watch";
import { Effect } from "effect";
import { failureOf } from "./failure-of.ts";
import { JANE, list, scripted } from "./scripted-account.ts";

const LIST_STATUS = "IMAP4rev1 LIST-EXTENDED LIST-STATUS SPECIAL-USE";

const inboxOf = (total: number): ReadonlyArray<string> => [
  'LIST () "/" INBOX',
  `STATUS INBOX (MESSAGES ${total} UNSEEN 0 UIDNEXT 9 UIDVALIDITY 7)`,
  "OK",
];

const totals = Effect.map(list, (listed) => listed.map(({ status }) => status?.total));

const isListing = (command: string): boolean => command.startsWith('LIST "" "*"');

it.live("lists an open INBOX without changes by one LIST and one NOOP", () =>
  Effect.gen(function* () {
    const { server, ports } = yield* scripted({
      capabilities: LIST_STATUS,
      answer: (command) => (isListing(command) ? inboxOf(5) : undefined),
    });
    yield* Effect.provide(list, ports);
    const before = server.commands.length;
    assert.deepStrictEqual(yield* Effect.provide(totals, ports), [5]);
    const sent = server.commands.slice(before).map((command) => command.split(" ")[0]);
    assert.deepStrictEqual(sent, ["LIST", "NOOP"]);
  }),
);

for (const [what, ...said] of [
  ["mail that arrived", "6 EXISTS", "OK"],
  ["mail that was removed", "1 EXPUNGE", "OK"],
  ["mail that was read", "1 FETCH (FLAGS (\\Seen))", "OK"],
  ["no answer to it", "BAD what?"],
] as const) {
  it.live(`asks for counts again if the NOOP returns ${what}`, () =>
    Effect.gen(function* () {
      // Dovecot counts INBOX in the state that the session last saw; a NOOP updates this state.
      let [there, seen] = [5, 5];
      let hasNews = false;
      const { ports } = yield* scripted({
        capabilities: LIST_STATUS,
        answer: (command) => {
          if (isListing(command)) return inboxOf(seen);
          if (command !== "NOOP" || !hasNews) return undefined;
          hasNews = false;
          seen = there;
          return said;
        },
      });
      assert.deepStrictEqual(yield* Effect.provide(totals, ports), [5]);
      assert.deepStrictEqual(yield* Effect.provide(totals, ports), [5]);
      there = 4;
      hasNews = true;
      assert.deepStrictEqual(yield* Effect.provide(totals, ports), [4]);
    }),
  );
}

it.live("replaces a connection that is lost between the ends of LIST and NOOP, once", () =>
  Effect.gen(function* () {
    let losses = 0;
    const { ports } = yield* scripted({
      capabilities: LIST_STATUS,
      answer: (command) => {
        if (isListing(command)) return inboxOf(5);
        return command === "NOOP" && losses-- > 0 ? "hang up" : undefined;
      },
    });
    yield* Effect.provide(list, ports);
    losses = 1;
    assert.deepStrictEqual(yield* Effect.provide(totals, ports), [5]);
    yield* Effect.provide(list, ports);
    const refusing = yield* scripted({
      capabilities: LIST_STATUS,
      answer: (command) => (isListing(command) ? ["NO [SERVERBUG] not now"] : undefined),
    });
    for (const _ of [1, 2]) {
      assert.match(yield* Effect.provide(failureOf(list), refusing.ports), /^MailServerError/);
    }
  }),
);

it.live("shares listings among concurrent callers without returning an older state", () =>
  Effect.gen(function* () {
    let there = 0;
    const { server, ports } = yield* scripted({
      capabilities: LIST_STATUS,
      answer: (command) => (isListing(command) ? inboxOf(there) : undefined),
    });
    yield* Effect.provide(list, ports);
    const before = server.commands.filter(isListing).length;
    yield* Effect.forEach(
      Array.from({ length: 100 }),
      Effect.fnUntraced(function* () {
        const atLeast = ++there;
        const [total] = yield* Effect.provide(totals, ports);
        assert.isAtLeast(total!, atLeast);
      }),
      { concurrency: "unbounded" },
    );
    assert.isAtMost(server.commands.filter(isListing).length - before, 10);
  }),
);

it.live("lists in another session if this one leaves out a mailbox that was there", () =>
  Effect.gen(function* () {
    // A Dovecot session with a corrupted index of mailboxes lists only a few mailboxes. The next session lists all.
    let names = ["Old", "Plans"];
    const { server, ports } = yield* scripted({
      capabilities: `${LIST_STATUS} NOTIFY`,
      answer: (command) => {
        if (command.startsWith("LOGIN") && names.length === 0) names = ["New", "Plans"];
        if (!isListing(command)) return undefined;
        const rows = ["INBOX", ...names].flatMap((name) => [
          `LIST () "/" ${name}`,
          `STATUS ${name} (MESSAGES 0 UNSEEN 0 UIDNEXT 1 UIDVALIDITY 7)`,
        ]);
        return [...rows, "OK"];
      },
    });
    const paths = (...expected: ReadonlyArray<string>) =>
      Effect.flatMap(MailboxTree, (tree) => tree.list(JANE, expected)).pipe(
        Effect.map((listed) => listed.map(({ path }) => path)),
        Effect.provide(ports),
      );
    const logins = () => server.commands.filter((command) => command.startsWith("LOGIN")).length;
    assert.deepStrictEqual(yield* paths(), ["INBOX", "Old", "Plans"]);
    const before = logins();
    names = [];
    assert.deepStrictEqual(yield* paths("INBOX", "Old", "Plans"), ["INBOX", "New", "Plans"]);
    assert.deepStrictEqual(yield* paths("INBOX", "New", "Plans"), ["INBOX", "New", "Plans"]);
    assert.strictEqual(logins(), before + 1);
  }),
);

it.live("lists after a removal in each of several sessions that still had the mailbox", () =>
  Effect.gen(function* () {
    let names = ["INBOX", "Old"];
    const { ports } = yield* scripted({
      capabilities: `${LIST_STATUS} NOTIFY`,
      answer: (command) => {
        if (!isListing(command)) return undefined;
        const rows = names.flatMap((name) => [
          `LIST () "/" ${name}`,
          `STATUS ${name} (MESSAGES 0 UNSEEN 0 UIDNEXT 1 UIDVALIDITY 7)`,
        ]);
        return setTimeout(30, [...rows, "OK"]);
      },
    });
    // A listing does not wait until the one before it ends, so each of the three has a session.
    const listings = Effect.forEach(
      [0, 15, 30],
      (millis) =>
        Effect.delay(
          Effect.flatMap(MailboxTree, (tree) => tree.list(JANE, ["INBOX", "Old"])),
          millis,
        ),
      { concurrency: "unbounded" },
    ).pipe(
      Effect.map((all) => all.map((listed) => listed.map(({ path }) => path))),
      Effect.provide(ports),
    );
    assert.deepStrictEqual(yield* listings, [names, names, names]);
    names = ["INBOX"];
    assert.deepStrictEqual(yield* listings, [names, names, names]);
  }),
);

for (const [what, there, all, ends] of [
  ["a session that leaves out a mailbox is replaced", ["INBOX"], ["INBOX", "Old"], true],
  ["a session stays after a mailbox is removed", ["INBOX"], ["INBOX"], false],
] as const) {
  it.live(`a watch lists in another session if its own leaves out a mailbox: ${what}`, () =>
    Effect.gen(function* () {
      const answers: Array<ReadonlyArray<string>> = [["INBOX", "Old"], there, all];
      const { server, ports } = yield* scripted({
        capabilities: `${LIST_STATUS} NOTIFY`,
        answer: (command) => {
          if (!isListing(command)) return undefined;
          const rows = answers.shift()!.map((name) => `STATUS ${name} (MESSAGES 0 UNSEEN 0 UIDNEXT 1 UIDVALIDITY 7)`);
          return [...rows.flatMap((row) => [`LIST () "/" ${row.split(" ")[1]}`, row]), "OK"];
        },
      });
      const watch = yield* Effect.provide(InboxWatch, ports);
      const inbox = yield* watch.open(JANE, "watch");
      const paths = Effect.map(inbox.folders(["INBOX", "Old"]), (listed) => listed.map(({ path }) => path));
      assert.deepStrictEqual(yield* paths, ["INBOX", "Old"]);
      const before = server.open;
      assert.deepStrictEqual(yield* paths, [...all]);
      yield* Effect.sleep(50);
      assert.strictEqual(server.open, ends ? before : before + 1);
    }).pipe(Effect.scoped),
  );
}

it.live("a watch opens a folder whose STATUS lacks UIDNEXT, and leaves out one that the server refuses to open", () =>
  Effect.gen(function* () {
    let refusal = "NO [NOPERM] not you";
    const { ports } = yield* scripted({
      answer: (command) => {
        const [verb, name] = command.split(" ");
        if (verb === "STATUS") return [`STATUS ${name} (MESSAGES 2 UNSEEN 1 UIDVALIDITY 7)`, "OK"];
        if (verb === "EXAMINE" && name === "Closed") return [refusal];
        if (verb === "EXAMINE") return ["2 EXISTS", "OK [UIDVALIDITY 7] valid", "OK [READ-ONLY] opened"];
        return verb === "FETCH" ? ["2 FETCH (UID 9)", "OK"] : undefined;
      },
    });
    const inbox = yield* (yield* Effect.provide(InboxWatch, ports)).open(JANE, "watch");
    const cursor = { uidValidity: 7, uidNext: 10, highestModSeq: null };
    assert.deepStrictEqual(yield* inbox.standings(["Work", "Closed"]), [{ path: "Work", cursor, counts: "2 1" }]);
    refusal = "NO [UNAVAILABLE] too many requests";
    assert.match(yield* failureOf(inbox.standings(["Work", "Closed"])), /busy/);
  }).pipe(Effect.scoped),
);
