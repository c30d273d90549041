import { assert, it } from "@effect/vitest";
import { MailboxReader } from "@postern/core/messages";
import { Effect } from "effect";
import { JANE, scripted } from "./scripted-account.ts";
import type { Answer } from "./scripted-server.ts";

const STATUS = ["STATUS INBOX (MESSAGES 2 UIDNEXT 10 UIDVALIDITY 7 UNSEEN 1 HIGHESTMODSEQ 5)", "OK"];

/** A server with two messages; `noop` answers the NOOPs, in turn. */
const serverNamed = (name: string, noops: Array<Answer>) =>
  scripted({
    capabilities: "IMAP4rev1 ENABLE CONDSTORE ID UNSELECT",
    answer: (command) => {
      if (command.startsWith("ID")) return [`ID ("name" "${name}")`, "OK"];
      if (command.startsWith("ENABLE")) return ["ENABLED CONDSTORE", "OK"];
      if (command.startsWith("SELECT"))
        return ["2 EXISTS", "OK [UIDVALIDITY 7] valid", "OK [UIDNEXT 10] next", "OK [HIGHESTMODSEQ 5] highest", "OK"];
      if (command.startsWith("STATUS")) return STATUS;
      if (command.startsWith("FETCH"))
        return ["1 FETCH (UID 8 FLAGS (\\Seen) RFC822.SIZE 9)", "2 FETCH (UID 9 FLAGS () RFC822.SIZE 9)", "OK"];
      return command === "NOOP" ? noops.shift() : undefined;
    },
  });

/** Reads the newest messages twice; returns the commands and the messages of the second read. */
const secondView = Effect.fnUntraced(function* (name: string, ...noops: Array<Answer>) {
  const { server, ports } = yield* serverNamed(name, noops);
  const view = Effect.gen(function* () {
    const reader = yield* MailboxReader;
    const { total, messages } = yield* reader.view(JANE, "INBOX", { count: 2 });
    return (yield* messages(1, total)).map(({ uid }) => uid);
  }).pipe(Effect.scoped, Effect.provide(ports));
  yield* view;
  const before = server.commands.length;
  assert.deepStrictEqual(yield* view, [8, 9]);
  return server.commands.slice(before).map((command) => command.split(" ")[0]);
});

const READ = ["STATUS", "FETCH", "NOOP"];
const SELECTED = ["SELECT", "FETCH", "STATUS"];

it.live("reads an INBOX that stays open by STATUS and FETCH, with a NOOP behind them", () =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* secondView("Dovecot"), READ);
    assert.deepStrictEqual(yield* secondView("Cyrus IMAPD"), READ);
  }),
);

it.live("selects INBOX again on a server that may not announce every flag", () =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* secondView("Other"), SELECTED);
  }),
);

for (const [what, news] of [
  ["an arrival", "2 EXISTS"],
  ["a removal", "2 EXPUNGE"],
  ["a removal by UID", "VANISHED 4"],
  ["a flag", "2 FETCH (FLAGS (\\Flagged))"],
  ["a flag by UID", "2 FETCH (UID 9 MODSEQ (6) FLAGS (\\Flagged))"],
] as const) {
  it.live(`reads INBOX again if the NOOP returns ${what}`, () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* secondView("Dovecot", [news, "2 EXISTS", "OK"]), [...READ, ...READ]);
    }),
  );
}

it.live("selects an INBOX again that keeps changing, or whose NOOP is refused", () =>
  Effect.gen(function* () {
    const news: Answer = ["2 FETCH (FLAGS ())", "OK"];
    assert.deepStrictEqual(yield* secondView("Dovecot", news, news, news), [...READ, ...READ, ...READ, ...SELECTED]);
    const refused: Answer = ["NO later"];
    const again = yield* secondView("Dovecot", refused, refused, refused);
    assert.deepStrictEqual(again, [...READ, ...READ, ...READ, ...SELECTED]);
  }),
);
