import { assert, it } from "@effect/vitest";
import { MailboxReader } from "@postern/core/messages";
import { Effect } from "effect";
import { failureOf } from "./failure-of.ts";
import { JANE, list, scripted, view } from "./scripted-account.ts";

const COUNTED = "MESSAGES 5 UNSEEN 2 UIDNEXT 9 UIDVALIDITY 7";

it.live("asks for the counts of each mailbox where the server lacks LIST-STATUS", () =>
  Effect.gen(function* () {
    const { ports } = yield* scripted({
      answer: (command) => {
        if (command.startsWith('LIST "" "*"')) {
          return ['LIST () "/" INBOX', 'LIST (\\Noselect) "/" Up', 'LIST () "/" Up/Gone', 'LIST () "/" Up/There', "OK"];
        }
        if (command.startsWith("STATUS Up/Gone")) return ["NO [NONEXISTENT] gone meanwhile"];
        return command.startsWith("STATUS") ? [`STATUS ${command.split(" ")[1]} (${COUNTED})`, "OK"] : undefined;
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

it.live("takes each mailbox's id from a server with OBJECTID in the same round trip", () =>
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

it.live("fails when a listing is cut off instead of returning part of it", () =>
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
