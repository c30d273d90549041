import { assert, it } from "@effect/vitest";
import { CredentialVault } from "@postern/core/auth";
import { InboxWatch } from "@postern/core/watch";
import { MessageChanges, MessageSearch } from "@postern/core/messages";
import { findIn } from "@postern/testkit";
import { Effect, Exit, Fiber, Redacted } from "effect";
import { CREDENTIAL, JANE, list, scripted, view } from "./scripted-account.ts";

it.live("closes the connection of an interrupted command", () =>
  Effect.gen(function* () {
    let silent = true;
    const { server, ports } = yield* scripted({
      answer: (command) => (silent && command.startsWith("STATUS") ? "silence" : undefined),
    });
    const reading = yield* Effect.forkChild(Effect.provide(view, ports));
    while (!server.commands.some((command) => command.startsWith("STATUS"))) yield* Effect.sleep(5);
    yield* Fiber.interrupt(reading);
    silent = false;
    yield* Effect.provide(view, ports);
    yield* Effect.sleep(20);
    assert.strictEqual(server.open, 1);
  }),
);

for (const [losses, outcome] of [
  [1, "Success"],
  [2, "Failure"],
] as const) {
  it.live(`replaces a connection lost in its first listing once: ${losses} lost, ${outcome}`, () =>
    Effect.gen(function* () {
      let asked = 0;
      const { ports } = yield* scripted({
        answer: (command) => (command.startsWith("SELECT") && ++asked <= losses ? "hang up" : undefined),
      });
      assert.strictEqual((yield* Effect.provide(Effect.result(list), ports))._tag, outcome);
      assert.strictEqual(asked, 2);
    }),
  );
}

it.live("waits after a failure before it connects again", () =>
  Effect.gen(function* () {
    let attempts = 0;
    const { ports } = yield* scripted({
      answer: (command) => (command === "CAPABILITY" && ++attempts < 3 ? "hang up" : undefined),
    });
    const asked = Effect.provide(Effect.result(list), ports);
    yield* Effect.forEach(Array.from({ length: 30 }), () => asked, { concurrency: "unbounded" });
    assert.strictEqual(attempts, 1);
    yield* Effect.sleep(110);
    assert.strictEqual((yield* asked)._tag, "Failure");
    assert.strictEqual(attempts, 2);
    assert.strictEqual((yield* asked)._tag, "Failure");
    assert.strictEqual(attempts, 2);
    yield* Effect.sleep(210);
    assert.strictEqual((yield* asked)._tag, "Success");
  }),
);

it.live("replaces a session on BYE before the server closes it", () =>
  Effect.gen(function* () {
    let searches = 0;
    const { ports } = yield* scripted({
      answer: (command) =>
        command.startsWith("UID SEARCH")
          ? ["SEARCH", ...(++searches === 1 ? ["BYE session state is inconsistent"] : []), "OK searched"]
          : undefined,
    });
    const find = Effect.flatMap(MessageSearch, (search) => findIn(search, JANE, "INBOX", { unread: true }));
    const [one, other] = yield* Effect.provide(Effect.all([Effect.exit(find), find]), ports);
    assert.isFalse(Exit.hasDies(one));
    assert.strictEqual(other?.uidValidity, 7);
  }),
);

it.live("reports messages as not found when their mailbox is deleted during a command", () =>
  Effect.gen(function* () {
    let isThere = true;
    const { ports } = yield* scripted({
      answer: (command) => {
        if (command.startsWith("UID SEARCH")) return ["SEARCH 1", "OK searched"];
        if (command.startsWith("UID STORE")) {
          isThere = false;
          return ["NO Mailbox was deleted under us"];
        }
        return isThere || !command.startsWith("SELECT") ? undefined : ["NO Mailbox does not exist"];
      },
    });
    const place = { path: "Gone", uidValidity: 7 };
    const change = Effect.flatMap(MessageChanges, (changes) => changes.setFlags(JANE, place, [1], { flagged: true }));
    assert.strictEqual((yield* Effect.provide(Effect.flip(change), ports))._tag, "MessageNotFound");
  }),
);

it.live("closes idle connections", () =>
  Effect.gen(function* () {
    const { server, ports } = yield* scripted({}, { timeouts: { idle: 150 } });
    yield* Effect.provide(Effect.all([list, list, view], { concurrency: "unbounded" }), ports);
    assert.isAbove(server.open, 0);
    yield* Effect.sleep(75);
    yield* Effect.provide(list, ports);
    yield* Effect.sleep(100);
    assert.strictEqual(server.open, 1, "the one used since stays");
    yield* Effect.sleep(150);
    assert.strictEqual(server.open, 0);
    yield* Effect.provide(list, ports);
    assert.strictEqual(server.open, 1);
  }),
);

it.live("replaces the connections of a former credential", () =>
  Effect.gen(function* () {
    const { server, ports } = yield* scripted({});
    yield* Effect.provide(Effect.all([view, view, list], { concurrency: "unbounded" }), ports);
    const vault = yield* Effect.provide(CredentialVault, ports);
    yield* vault.keep(JANE, { ...CREDENTIAL, password: Redacted.make("newer") });
    yield* Effect.provide(list, ports);
    yield* Effect.sleep(20);
    assert.strictEqual(server.open, 1);
    assert.include(server.commands.filter((command) => command.startsWith("LOGIN")).at(-1), "newer");
  }),
);

it.live("closes all connections with the layer", () =>
  Effect.gen(function* () {
    const { server } = yield* Effect.scoped(Effect.tap(scripted({}), ({ ports }) => Effect.provide(list, ports)));
    yield* Effect.sleep(20);
    assert.strictEqual(server.open, 0);
  }),
);

it.live("opens no more connections than allowed for fifty concurrent requests [S1.3-11]", () =>
  Effect.gen(function* () {
    const { server, ports } = yield* scripted({}, { connectionsPerAccount: 3 });
    const many = Array.from({ length: 50 }, (_, n) => (n % 2 === 0 ? Effect.asVoid(list) : Effect.asVoid(view)));
    yield* Effect.provide(Effect.all(many, { concurrency: "unbounded" }), ports);
    assert.strictEqual(server.mostOpen, 3);
  }),
);

it.live("closes the watching connection if the server allows only one", () =>
  Effect.gen(function* () {
    let open = () => 0;
    const { server, ports } = yield* scripted({
      answer: (command) =>
        /^(LOGIN|AUTHENTICATE)/.test(command) && open() > 1 ? ["NO [LIMIT] too many connections"] : undefined,
    });
    open = () => server.open;
    yield* Effect.gen(function* () {
      const inbox = yield* (yield* InboxWatch).open(JANE, "watch");
      assert.lengthOf(yield* list, 1);
      assert.strictEqual((yield* Effect.flip(inbox.changed))._tag, "MailServerError");
    }).pipe(Effect.scoped, Effect.provide(ports));
  }).pipe(Effect.scoped),
);

it.live("names Postern to the server, not its IMAP library", () =>
  Effect.gen(function* () {
    const { server, ports } = yield* scripted({ capabilities: "IMAP4rev1 ID" });
    yield* Effect.provide(list, ports);
    const said = server.commands.filter((command) => command.startsWith("ID "));
    assert.deepStrictEqual([...new Set(said)], ['ID ("name" "Postern" "vendor" "Postern")']);
  }),
);

it.live("treats a command that cannot be written as a defect, and does not send it", () =>
  Effect.gen(function* () {
    const { server, ports } = yield* scripted({});
    const search = Effect.flatMap(MessageSearch, (found) => findIn(found, JANE, "INBOX", { text: "a\0b" }));
    const exit = yield* Effect.exit(Effect.provide(search, ports));
    assert.isTrue(Exit.hasDies(exit));
    assert.isFalse(server.commands.some((command) => command.includes("SEARCH")));
  }),
);
