import { assert, it } from "@effect/vitest";
import { MailboxReader, type NewestWanted } from "@postern/core/messages";
import { Effect } from "effect";
import { failureOf } from "./failure-of.ts";
import { JANE, list, scripted, view } from "./scripted-account.ts";

const COUNTED = "MESSAGES 5 UNSEEN 2 UIDNEXT 9 UIDVALIDITY 7";

it.live("asks for the counts of each mailbox if the server lacks LIST-STATUS [S4.1-3]", () =>
  Effect.gen(function* () {
    const { ports } = yield* scripted({
      answer: (command) => {
        if (command.startsWith('LIST "" "*"')) {
          return ['LIST () "/" INBOX', 'LIST (\\Noselect) "/" Up', 'LIST () "/" Up/Gone', 'LIST () "/" Up/There', "OK"];
        }
        const name = /^STATUS "(.*)" /.exec(command)?.[1];
        if (name === "Up/Gone") return ["NO [NONEXISTENT] gone meanwhile"];
        return name === undefined ? undefined : [`STATUS "${name}" (${COUNTED})`, "OK"];
      },
    });
    const listed = yield* Effect.provide(list, ports);
    const status = { total: 5, unread: 2, uidValidity: 7, uidNext: 9, mailboxId: null };
    assert.deepStrictEqual(
      listed.map((mailbox) => [mailbox.path, mailbox.status]),
      [
        ["INBOX", status],
        ["Up", null],
        ["Up/Gone", null],
        ["Up/There", status],
      ],
    );
  }),
);

for (const hasIds of [false, true])
  it.live(`asks for the counts that LIST-STATUS leaves out, ${hasIds ? "with" : "without"} OBJECTID`, () =>
    Effect.gen(function* () {
      const counted = (id: string) => (hasIds ? `(${COUNTED} MAILBOXID (${id}))` : `(${COUNTED})`);
      const { server, ports } = yield* scripted({
        capabilities: `IMAP4rev1 LIST-EXTENDED LIST-STATUS${hasIds ? " OBJECTID" : ""}`,
        answer: (command) => {
          if (command.startsWith('LIST "" "*"'))
            return ['LIST () "/" INBOX', `STATUS INBOX ${counted("F1")}`, 'LIST () "/" Slow', 'LIST () "/" Shut', "OK"];
          if (command.startsWith('STATUS "Shut"')) return ["NO [NOPERM] not yours"];
          return command.startsWith('STATUS "Slow"') ? [`STATUS Slow ${counted("F2")}`, "OK"] : undefined;
        },
      });
      const listed = yield* Effect.provide(list, ports);
      assert.deepStrictEqual(
        listed.map(({ path, status }) => [path, status?.uidValidity, status?.mailboxId]),
        [
          ["INBOX", 7, hasIds ? "F1" : null],
          ["Shut", undefined, undefined],
          ["Slow", 7, hasIds ? "F2" : null],
        ],
      );
      const asked = server.commands.flatMap((command) => /^STATUS "(\w+)"/.exec(command)?.[1] ?? []);
      // The server is asked once more if a mailbox has no status, because the mailbox may have been renamed.
      assert.sameMembers(asked, ["Slow", "Shut", "Slow", "Shut"]);
    }),
  );

it.live("lists again if a mailbox has no status, because it may have been renamed in between", () =>
  Effect.gen(function* () {
    let isRenamed = false;
    const { server, ports } = yield* scripted({
      capabilities: "IMAP4rev1 LIST-EXTENDED LIST-STATUS",
      answer: (command) => {
        if (command.startsWith('LIST "" "*"')) {
          const named = isRenamed ? ['LIST () "/" New', `STATUS New (${COUNTED})`] : ['LIST () "/" Old'];
          isRenamed = true;
          return ['LIST () "/" INBOX', `STATUS INBOX (${COUNTED})`, ...named, 'LIST () "/" Shut', "OK"];
        }
        return command.startsWith("STATUS") ? ["NO [NONEXISTENT] there is none"] : undefined;
      },
    });
    const listings = () => server.commands.filter((command) => command.startsWith('LIST "" "*"')).length;
    for (const asked of [2, 1]) {
      const before = listings();
      assert.deepStrictEqual(
        (yield* Effect.provide(list, ports)).map(({ path, status, isClosed }) => [path, status?.uidNext, isClosed]),
        [
          ["INBOX", 9, undefined],
          ["New", 9, undefined],
          ["Shut", undefined, true],
        ],
      );
      assert.strictEqual(listings() - before, asked);
    }
  }),
);

it.live("takes each mailbox's id from a server with OBJECTID in the same round trip [S4.1-3]", () =>
  Effect.gen(function* () {
    const { server, ports } = yield* scripted({
      capabilities: "IMAP4rev1 LIST-EXTENDED LIST-STATUS OBJECTID",
      answer: (command) =>
        command.startsWith('LIST "" "*"')
          ? [
              'LIST () "/" INBOX',
              `STATUS INBOX (${COUNTED} MAILBOXID (F1))`,
              'LIST () "/" "Entw&APw-rfe"',
              `STATUS "Entw&APw-rfe" (MAILBOXID (F2) ${COUNTED})`,
              "OK",
            ]
          : undefined,
    });
    for (const _ of [1, 2]) {
      const listed = yield* Effect.provide(list, ports);
      assert.deepStrictEqual(
        listed.map(({ path, status }) => [path, status?.mailboxId, status?.uidNext]),
        [
          ["INBOX", "F1", 9],
          ["Entwürfe", "F2", 9],
        ],
      );
    }
    const asked = server.commands.filter((command) => /^(LIST "" "\*"|STATUS)/.test(command));
    assert.lengthOf(asked, 2);
    assert.match(asked[0]!, /RETURN \(STATUS \([^)]*MAILBOXID\)/);
  }),
);

it.live("fails when a listing is cut off, and returns no part of it", () =>
  Effect.gen(function* () {
    let cut = false;
    const { ports } = yield* scripted({
      answer: (command) => (cut && command.startsWith("STATUS") ? "hang up" : undefined),
    });
    yield* Effect.provide(list, ports);
    cut = true;
    assert.strictEqual(yield* Effect.provide(failureOf(list), ports), "MailServerError unreachable");
    assert.strictEqual(yield* Effect.provide(failureOf(view), ports), "MailServerError unreachable");
  }),
);

it.live("ignores unsolicited responses during a FETCH and sorts the messages", () =>
  Effect.gen(function* () {
    const row = (seq: number) =>
      `${seq} FETCH (UID ${seq + 10} FLAGS () RFC822.SIZE 9 INTERNALDATE "01-Jan-2025 00:00:00 +0000" ENVELOPE NIL)`;
    const { ports } = yield* scripted({
      answer: (command) => {
        if (command.startsWith("SELECT")) return ["3 EXISTS", "OK [UIDVALIDITY 7] valid", "OK selected"];
        if (command.startsWith("STATUS")) return ["STATUS INBOX (UNSEEN 3)", "OK"];
        if (!command.startsWith("FETCH")) return undefined;
        return [row(2), "1 FETCH (FLAGS (\\Seen))", row(1), "4 EXISTS", "3 FETCH (UID 13 FLAGS ())", row(3), "OK"];
      },
    });
    const uids = yield* Effect.scoped(
      Effect.gen(function* () {
        const opened = yield* (yield* MailboxReader).view(JANE, "INBOX");
        return (yield* opened.messages(1, opened.total)).map((message) => message.uid);
      }),
    ).pipe(Effect.provide(ports));
    assert.deepStrictEqual(uids, [11, 12, 13]);
  }),
);

const FOLDERS = Array.from({ length: 120 }, (_, n) => (n === 0 ? "INBOX" : `Box ${n}`));

it.live("asks a server without LIST-STATUS for the counts of 120 folders in three round trips (Microsoft 365)", () =>
  Effect.gen(function* () {
    const rounds: Array<number> = [];
    const { server, ports } = yield* scripted({
      answer: (command) => {
        if (command.startsWith('LIST "" "*"')) return [...FOLDERS.map((name) => `LIST () "/" "${name}"`), "OK"];
        if (command === "NOOP") rounds.push(0);
        const name = /^STATUS "(.*)" /.exec(command)?.[1];
        return name === undefined ? undefined : [`STATUS "${name}" (${COUNTED})`, "OK"];
      },
    });
    const listed = yield* Effect.provide(list, ports);
    assert.deepStrictEqual(listed.map(({ path }) => path).toSorted(), FOLDERS.toSorted());
    for (const { status } of listed) assert.deepInclude(status, { total: 5, unread: 2, uidNext: 9 });
    const asked = server.commands.filter((command) => command.startsWith("STATUS"));
    assert.deepStrictEqual([asked.length, rounds.length], [FOLDERS.length, 3]);
  }),
);

for (const refusal of [
  "NO [UNAVAILABLE] later",
  "BAD Request is throttled. Suggested Backoff Time: 299961 milliseconds",
])
  it.live(`fails as busy if a STATUS is refused with ${refusal}, because the folder would get another id`, () =>
    Effect.gen(function* () {
      const { ports } = yield* scripted({
        answer: (command) => {
          if (command.startsWith('LIST "" "*"')) return ['LIST () "/" INBOX', 'LIST () "/" Box', "OK"];
          return command.startsWith('STATUS "Box"') ? [refusal] : undefined;
        },
      });
      assert.strictEqual(yield* Effect.provide(failureOf(list), ports), "MailServerError busy");
    }),
  );

it.live(
  "counts a folder whose STATUS has another spelling of its name, and lists a folder with a fault without counts",
  () =>
    Effect.gen(function* () {
      const { ports } = yield* scripted({
        answer: (command) => {
          if (command.startsWith('LIST "" "*"')) {
            return ['LIST () "/" INBOX', 'LIST () "/" "/Lead"', 'LIST () "/" Broken', "OK"];
          }
          if (/^STATUS "?Lead/.test(command)) return [`STATUS "/Lead" (${COUNTED})`, "OK"];
          return /^STATUS "?Broken/.test(command) ? ["NO [SERVERBUG] Internal error"] : undefined;
        },
      });
      const listed = yield* Effect.provide(list, ports);
      assert.deepStrictEqual(
        listed.map(({ path, status }) => [path, status?.total ?? null]),
        [
          ["INBOX", 0],
          ["Broken", null],
          ["Lead", 5],
        ],
      );
    }),
);

it.live("lists a folder that the server lists twice only once, with one role and one STATUS", () =>
  Effect.gen(function* () {
    const rows = ["INBOX", "Sent", "Box", "inbox", "Sent", "/Box", "Box"].map((name) => `LIST () "/" "${name}"`);
    for (const capabilities of ["IMAP4rev1", "IMAP4rev1 LIST-EXTENDED LIST-STATUS"]) {
      const statuses = ["INBOX", "Sent", "Box", "Box"].map((name) => `STATUS "${name}" (${COUNTED})`);
      const { server, ports } = yield* scripted({
        capabilities,
        answer: (command) => {
          if (command.startsWith('LIST "" "*" RETURN')) return [...rows, ...statuses, "OK"];
          if (command.startsWith('LIST "" "*"')) return [...rows, "OK"];
          const name = /^STATUS "(.*)" /.exec(command)?.[1];
          return name === undefined ? undefined : [`STATUS "${name}" (${COUNTED})`, "OK"];
        },
      });
      for (const _ of ["first", "again"]) {
        const listed = yield* Effect.provide(list, ports);
        assert.deepStrictEqual(
          listed.map(({ path, role, status }) => [path, role, status?.total]),
          [
            ["INBOX", "inbox", 5],
            ["Sent", "sent", 5],
            ["Box", null, 5],
          ],
        );
      }
      const asked = server.commands.filter((command) => command.startsWith("STATUS")).length;
      assert.strictEqual(asked, capabilities === "IMAP4rev1" ? 6 : 0);
    }
  }),
);

/** The answer of a server to a FETCH of these positions. */
const rowsOf = (positions: ReadonlyArray<number>): ReadonlyArray<string> =>
  positions.map((n) => `${n} FETCH (UID ${n} FLAGS () RFC822.SIZE 9 INTERNALDATE "01-Jan-2025 00:00:00 +0000")`);

it.live("opens a mailbox of known size and fetches its newest messages in one write", () =>
  Effect.gen(function* () {
    const { server, ports } = yield* scripted({
      answer: (command) => {
        if (/^(?:SELECT|EXAMINE)/.test(command)) return ["5 EXISTS", "OK [UIDVALIDITY 7] valid", "OK selected"];
        if (command.startsWith("STATUS")) return [`STATUS INBOX (${COUNTED})`, "OK"];
        const [, first, last] = /^(?:UID )?FETCH (\d+):(\d+|\*) /.exec(command) ?? [];
        if (first === undefined) return undefined;
        const end = last === "*" ? 5 : Number(last);
        return [...rowsOf(Array.from({ length: end - Number(first) + 1 }, (_, n) => Number(first) + n)), "OK"];
      },
    });
    const page = (newest: NewestWanted) =>
      Effect.scoped(
        Effect.gen(function* () {
          const opened = yield* (yield* MailboxReader).view(JANE, "INBOX", newest);
          const flags = yield* opened.flags(4, 5);
          const messages = newest.known === undefined ? yield* opened.messages(4, 5) : yield* opened.byUid([5]);
          return [flags.map(({ uid }) => uid), messages.map(({ uid }) => uid)];
        }),
      );
    const commands = () => server.commands.splice(0).map((command) => command.split(" (")[0]);
    yield* Effect.provide(page({ count: 2 }), ports);
    commands();
    assert.deepStrictEqual(yield* Effect.provide(page({ count: 2 }), ports), [
      [4, 5],
      [4, 5],
    ]);
    assert.deepStrictEqual(commands(), ["SELECT INBOX", "FETCH 4:*", 'STATUS "INBOX"']);
    assert.deepStrictEqual(yield* Effect.provide(page({ count: 2, known: 4 }), ports), [[4, 5], [5]]);
    assert.deepStrictEqual(commands(), ["SELECT INBOX", "FETCH 4:*", "UID FETCH 5:*", 'STATUS "INBOX"']);
  }),
);
