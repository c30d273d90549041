import { assert, it } from "@effect/vitest";
import { InboxWatch } from "@postern/core/watch";
import { Effect } from "effect";
import { JANE, scripted } from "./scripted-account.ts";

const BARE = 'FLAGS () INTERNALDATE "06-Jan-2025 10:00:00 +0000" RFC822.SIZE';

/** Two messages after UID 7; the first has an invalid ENVELOPE. */
const answer = (command: string) => {
  if (command.startsWith("STATUS")) return ["STATUS INBOX (UIDNEXT 9 UIDVALIDITY 7)", "OK"];
  if (command.startsWith("UID FETCH 7:8") && command.includes("ENVELOPE")) {
    return [
      `1 FETCH (UID 7 ${BARE} 100 ENVELOPE ("x" (((("garbage) BODYSTRUCTURE NIL`,
      `2 FETCH (UID 8 ${BARE} 200 ENVELOPE (NIL "Good" NIL NIL NIL NIL NIL NIL NIL "<good@example.org>") BODYSTRUCTURE ("TEXT" "PLAIN" NIL NIL NIL "7BIT" 2 1))`,
      "OK",
    ];
  }
  if (command.startsWith("UID FETCH 7 ")) return [`1 FETCH (UID 7 ${BARE} 100)`, "OK"];
  if (command.startsWith("UID FETCH 1:* ")) return ["1 FETCH (UID 7 FLAGS ())", "2 FETCH (UID 8 FLAGS ())", "OK"];
  return undefined;
};

it.live("returns a message with an unreadable description with the fields that can be read [S7.4-1] [S7.4-2]", () =>
  Effect.gen(function* () {
    const asked: Array<string> = [];
    const { ports } = yield* scripted({ answer: (command) => (asked.push(command), answer(command)) });
    const poll = yield* Effect.gen(function* () {
      const inbox = yield* (yield* InboxWatch).open(JANE, "watch");
      return yield* inbox.poll({ uidValidity: 7, uidNext: 7, highestModSeq: null });
    }).pipe(Effect.provide(ports));
    const [garbage, good] = poll.arrived;
    assert.deepInclude(garbage, { uid: 7, size: 100, messageId: null, summary: null, unread: true });
    assert.strictEqual(garbage!.arrivedAt, Date.UTC(2025, 0, 6, 10));
    assert.deepInclude(good, { uid: 8, size: 200, messageId: "<good@example.org>" });
    assert.strictEqual(poll.cursor.uidNext, 9);
    const items =
      "UID FLAGS BODYSTRUCTURE ENVELOPE INTERNALDATE RFC822\\.SIZE BODY\\.PEEK\\[HEADER\\.FIELDS \\([\\w -]+\\)\\]";
    const [fetch, ...more] = asked.filter((command) => command.includes("ENVELOPE"));
    assert.match(fetch!, new RegExp(`^UID FETCH 7:8 \\(${items}\\)$`));
    assert.deepStrictEqual(more, []);
  }).pipe(Effect.scoped),
);

it.live("omits messages expunged before they were fetched", () =>
  Effect.gen(function* () {
    const { ports } = yield* scripted({
      answer: (command) => {
        if (command.startsWith("STATUS")) return ["STATUS INBOX (UIDNEXT 8 UIDVALIDITY 7)", "OK"];
        if (command.startsWith("UID FETCH 7 ")) return ["OK"];
        return undefined;
      },
    });
    const poll = yield* Effect.gen(function* () {
      const inbox = yield* (yield* InboxWatch).open(JANE, "watch");
      return yield* inbox.poll({ uidValidity: 7, uidNext: 7, highestModSeq: null });
    }).pipe(Effect.provide(ports));
    assert.deepStrictEqual([poll.arrived, poll.cursor.uidNext], [[], 8]);
  }).pipe(Effect.scoped),
);

it.live("detects a dead connection by the keepalive", () =>
  Effect.gen(function* () {
    const { ports } = yield* scripted(
      {
        answer: (command) => (command === "NOOP" ? "silence" : undefined),
      },
      { timeouts: { keepalive: "200 millis" } },
    );
    const error = yield* Effect.gen(function* () {
      const inbox = yield* (yield* InboxWatch).open(JANE, "watch");
      return yield* Effect.flip(inbox.changed);
    }).pipe(Effect.provide(ports));
    assert.deepInclude(error, { _tag: "MailServerError", reason: "timeout" });
  }).pipe(Effect.scoped),
);
