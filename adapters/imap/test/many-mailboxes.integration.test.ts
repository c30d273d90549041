import { assert, it } from "@effect/vitest";
import { MessageSearch } from "@postern/core/messages";
import { Duration, Effect, Stream } from "effect";
import { failureOf } from "./failure-of.ts";
import { JANE, scripted } from "./scripted-account.ts";
import type { Answer } from "./scripted-server.ts";

const search = (...paths: ReadonlyArray<string>) =>
  Effect.flatMap(MessageSearch, (ports) => Stream.runCollect(ports.find(JANE, paths, { subject: "tale" }))).pipe(
    Effect.map((found) => Object.fromEntries(found)),
  );

const FOUND = { uidValidity: 7, uids: [1, 2], unread: [2] };
const searched = (command: string): Answer | undefined => {
  if (/^UID SEARCH (?:RETURN \(ALL\) )?SUBJECT/.test(command)) return ["SEARCH 1 2", "OK"];
  return command.startsWith("UID SEARCH") ? ["SEARCH 2", "OK"] : undefined;
};
const isTogether = (command: string) => command.startsWith('SELECT "');

it.live("asks several mailboxes in one write where the server has no ESEARCH, and keeps their answers apart", () =>
  Effect.gen(function* () {
    const { server, ports } = yield* scripted({ answer: searched });
    assert.deepStrictEqual(yield* Effect.provide(search("A", "B"), ports), { A: FOUND, B: FOUND });
    const [unseen] = server.commands.filter((command) => /UNSEEN|UNDRAFT/.test(command));
    assert.deepStrictEqual(
      server.commands.filter((command) => /^SELECT|SEARCH/.test(command)).map((command) => command.slice(0, 18)),
      ["A", "B"].flatMap((name) => [
        `SELECT "${name}"`,
        "UID SEARCH SUBJECT",
        `SELECT "${name}"`,
        unseen!.slice(0, 18),
      ]),
    );
  }),
);

it.live("searches again if a server answers RETURN with a plain SEARCH, which may answer another search (iCloud)", () =>
  Effect.gen(function* () {
    const { server, ports } = yield* scripted({ capabilities: "IMAP4rev1 ESEARCH", answer: searched });
    assert.deepStrictEqual(yield* Effect.provide(search("A", "B"), ports), { A: FOUND, B: FOUND });
    assert.isTrue(server.commands.some((command) => command.includes("RETURN (ALL)")));
  }),
);

it.live("distinguishes a deleted mailbox from the others with one LIST", () =>
  Effect.gen(function* () {
    const { server, ports } = yield* scripted({
      answer: (command) => (/^SELECT "?B"?$/.test(command) ? ["NO no such mailbox"] : searched(command)),
    });
    const before = server.commands.length;
    assert.deepStrictEqual(yield* Effect.provide(search("A", "B", "C"), ports), { A: FOUND, B: null, C: FOUND });
    const lists = server.commands.slice(before).filter((command) => command.startsWith('LIST "" "*"'));
    assert.lengthOf(lists, 1);
  }),
);

it.live("queries mailboxes one by one if the server ends sessions that send several commands at once", () =>
  Effect.gen(function* () {
    const { ports } = yield* scripted({
      answer: (command) => (isTogether(command) ? "hang up" : searched(command)),
    });
    assert.deepStrictEqual(yield* Effect.provide(search("A", "B"), ports), { A: FOUND, B: FOUND });
  }),
);

it.live("fails in time if the server falls silent between the answers", () =>
  Effect.gen(function* () {
    const timeouts = { command: Duration.millis(200) };
    const { server, ports } = yield* scripted(
      { answer: (command) => (command === 'SELECT "B"' ? "silence" : searched(command)) },
      { timeouts },
    );
    const failure = yield* Effect.timeout(failureOf(search("A", "B")), "5 seconds").pipe(Effect.provide(ports));
    assert.strictEqual(failure, "MailServerError timeout");
    while (server.open > 0) yield* Effect.sleep(5);
  }),
);
