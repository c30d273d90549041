import { assert, it } from "@effect/vitest";
import { MailboxReader, MessageChanges } from "@postern/core/messages";
import { Effect } from "effect";
import { failureOf } from "./failure-of.ts";
import { JANE, scripted } from "./scripted-account.ts";
import type { Answer } from "./scripted-server.ts";

const INBOX = { path: "INBOX", uidValidity: 7 };

/** Opens INBOX on a server with UIDPLUS and MOVE that gives this answer to a change. */
const opened = Effect.fnUntraced(function* (answer: (command: string) => Answer | undefined) {
  const { server, ports } = yield* scripted({
    capabilities: "IMAP4rev1 UIDPLUS MOVE",
    answer: (command) => {
      return answer(command) ?? (command.startsWith("UID SEARCH") ? ["SEARCH 1 2", "OK"] : undefined);
    },
  });
  yield* Effect.scoped(Effect.flatMap(MailboxReader, (reader) => reader.view(JANE, "INBOX"))).pipe(
    Effect.provide(ports),
  );
  const before = server.commands.length;
  const change = <A, E>(use: (changes: MessageChanges["Service"]) => Effect.Effect<A, E>) =>
    Effect.provide(Effect.flatMap(MessageChanges, use), ports);
  return { change, commands: () => server.commands.slice(before) };
});

it.live("deletes messages of the open INBOX in one write", () =>
  Effect.gen(function* () {
    const { change, commands } = yield* opened(() => undefined);
    const gone = yield* change((changes) => changes.destroy(JANE, INBOX, [2, 1, 2]));
    assert.deepStrictEqual([...gone], [1, 2]);
    assert.deepStrictEqual(commands(), [
      "NOOP",
      "UID SEARCH UID 1:2",
      "UID STORE 1:2 +FLAGS.SILENT (\\Deleted)",
      "UID EXPUNGE 1:2",
    ]);
  }),
);

for (const [when, command] of [
  ["marked", "UID STORE"],
  ["deleted", "UID EXPUNGE"],
] as const) {
  it.live(`fails a deletion if the connection is lost before the messages are ${when}`, () =>
    Effect.gen(function* () {
      const { change } = yield* opened((line) => (line.startsWith(command) ? "hang up" : undefined));
      const failure = yield* failureOf(change((changes) => changes.destroy(JANE, INBOX, [1, 2])));
      assert.strictEqual(failure, "MailServerError unreachable");
    }),
  );
}

it.live("reads the new locations of a thousand messages, before the answer to a move or in it", () =>
  Effect.gen(function* () {
    const uids = Array.from({ length: 1_000 }, (_, n) => 1_000_000_001 + 2 * n);
    const said = `OK [COPYUID 9 ${uids.join()} ${uids.map((uid) => uid + 1).join()}] moved`;
    for (const answer of [[said, "OK done"], [said]]) {
      const { change } = yield* opened((line) =>
        line.startsWith("UID MOVE")
          ? answer
          : line.startsWith("UID SEARCH")
            ? [`SEARCH ${uids.join(" ")}`, "OK"]
            : undefined,
      );
      const moved = yield* change((changes) => changes.move(JANE, INBOX, uids, "Work"));
      assert.deepStrictEqual(
        moved.map(({ uid, to }) => [uid, to]),
        uids.map((uid) => [uid, { uidValidity: 9, uid: uid + 1 }]),
      );
    }
  }),
);
