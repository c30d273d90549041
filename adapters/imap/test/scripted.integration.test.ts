import { assert, it } from "@effect/vitest";
import {
  CredentialVault,
  type FolderNotFound,
  type FolderNotSelectable,
  type MailboxAccessError,
  MailboxReader,
  MailboxTree,
  MailLogin,
  MailServerError,
} from "@postern/core";
import { Effect, Fiber, Redacted } from "effect";
import { CREDENTIAL, JANE, scripted } from "./scripted-account.ts";
import type { Answer } from "./scripted-server.ts";

const list = Effect.flatMap(MailboxTree, (tree) => tree.list(JANE));
const view = Effect.scoped(Effect.flatMap(MailboxReader, (reader) => reader.view(JANE, "INBOX")));
const signIn = Effect.flatMap(MailLogin, (login) => login.verify(CREDENTIAL));
const QUICK = { timeouts: { connect: 200, greeting: 200, command: 200 } };

type MailboxFailure = MailboxAccessError | FolderNotFound | FolderNotSelectable;

const whenever = (start: string, said: Answer) => (command: string) => (command.startsWith(start) ? said : undefined);

/** `MailServerError busy`, `LoginRefused`, … */
const failureOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), (error) =>
    error instanceof MailServerError ? `${error._tag} ${error.reason}` : error._tag,
  );

const LOGINS: ReadonlyArray<readonly [said: string, atSignIn: string, stored: string]> = [
  ["NO [AUTHENTICATIONFAILED] Too many wrong guesses", "LoginRefused", "MailboxCredentialsRejected"],
  ["NO Invalid user or password", "LoginRefused", "MailboxCredentialsRejected"],
  ["NO [ALERT] Application-specific password required", "LoginRefused", "MailboxCredentialsRejected"],
  ["NO [UNAVAILABLE] Temporary authentication failure", "MailServerError busy", "MailServerError busy"],
  ["NO [LIMIT] Maximum number of connections exceeded", "MailServerError busy", "MailServerError busy"],
  ["NO [INUSE] Locked", "MailServerError busy", "MailServerError busy"],
  ["NO [CONTACTADMIN] No", "MailServerError busy", "MailServerError busy"],
  ["NO [SERVERBUG] Internal error", "MailServerError busy", "MailServerError busy"],
  ["NO [ALERT] Too many simultaneous connections", "MailServerError busy", "MailServerError busy"],
  ["NO Temporary problem, please try again later", "MailServerError busy", "MailServerError busy"],
  ["NO [PRIVACYREQUIRED] Use TLS", "MailServerError protocol", "MailServerError protocol"],
  ["BAD What?", "MailServerError protocol", "MailServerError protocol"],
];
for (const [said, atSignIn, stored] of LOGINS) {
  it.live(`login answered "${said}" is ${atSignIn}`, () =>
    Effect.gen(function* () {
      const { server, ports } = yield* scripted({ answer: whenever("LOGIN", [said]) });
      assert.strictEqual(yield* Effect.provide(failureOf(signIn), ports), atSignIn);
      assert.strictEqual(yield* Effect.provide(failureOf(list), ports), stored);
      const vault = yield* Effect.provide(CredentialVault, ports);
      const kept = yield* Effect.result(vault.reveal(JANE));
      assert.strictEqual(kept._tag, stored === "MailboxCredentialsRejected" ? "Failure" : "Success");
      assert.strictEqual(server.commands.filter((command) => command.startsWith("LOGIN")).length, 2);
    }),
  );
}

it.live("a server that takes no logins at all refuses nobody", () =>
  Effect.gen(function* () {
    const { ports } = yield* scripted({ capabilities: "IMAP4rev1 LOGINDISABLED" });
    assert.strictEqual(yield* Effect.provide(failureOf(signIn), ports), "MailServerError protocol");
    assert.strictEqual(yield* Effect.provide(failureOf(list), ports), "MailServerError protocol");
  }),
);

it.live("a stored credential that is refused is tried once, however many ask", () =>
  Effect.gen(function* () {
    const { server, ports } = yield* scripted({ answer: whenever("LOGIN", ["NO [AUTHENTICATIONFAILED] no"]) });
    const many = Effect.forEach(Array.from({ length: 20 }), () => failureOf(list), { concurrency: "unbounded" });
    assert.deepStrictEqual(
      new Set(yield* Effect.provide(many, ports)),
      new Set(["MailboxCredentialsRejected"]),
    );
    assert.strictEqual(server.commands.filter((command) => command.startsWith("LOGIN")).length, 1);
  }),
);

it.live("a password never shows in what is said of a failure", () =>
  Effect.gen(function* () {
    const echo = (command: string): Answer | undefined =>
      command.startsWith("LOGIN") ? [`NO [UNAVAILABLE] cannot ${command}`] : undefined;
    const { ports } = yield* scripted({ answer: echo });
    const errors = yield* Effect.provide(Effect.all([Effect.flip(signIn), Effect.flip(list)]), ports);
    for (const error of errors) {
      assert.notInclude(`${JSON.stringify(error)} ${error} ${error.stack}`, Redacted.value(CREDENTIAL.password));
    }
  }),
);

const STALLS: ReadonlyArray<readonly [what: string, script: Parameters<typeof scripted>[0], expected: string]> = [
  ["never greets", { greeting: "silence" }, "MailServerError timeout"],
  ["stops before the login", { answer: whenever("CAPABILITY", "silence") }, "MailServerError timeout"],
  ["stops at the login", { answer: whenever("LOGIN", "silence") }, "MailServerError timeout"],
  ["hangs up at the login", { answer: whenever("LOGIN", "hang up") }, "MailServerError unreachable"],
  ["turns us away", { greeting: "BYE Too many connections" }, "MailServerError busy"],
  ["says good-bye", { greeting: "BYE going down" }, "MailServerError unreachable"],
  ["speaks another language", { greeting: "220 smtp ready" }, "MailServerError timeout"],
];
for (const [what, script, expected] of STALLS) {
  it.live(`a server that ${what}: ${expected}`, () =>
    Effect.gen(function* () {
      const { server, ports } = yield* scripted(script, QUICK);
      assert.strictEqual(yield* Effect.provide(failureOf(signIn), ports), expected);
      assert.strictEqual(yield* Effect.provide(failureOf(list), ports), expected);
      yield* Effect.sleep(50);
      assert.strictEqual(server.open, 0);
    }),
  );
}

for (const [stage, ask] of [
  ["NOOP", list],
  ["LIST", list],
  ["SELECT", Effect.asVoid(view)],
  ["STATUS", Effect.asVoid(view)],
] as const) {
  it.live(`a connection that falls silent at ${stage} is given up, the next request has a new one`, () =>
    Effect.gen(function* () {
      let silent = false;
      const { server, ports } = yield* scripted(
        { answer: (command) => (silent && command.startsWith(stage) ? "silence" : undefined) },
        QUICK,
      );
      if (stage !== "SELECT") yield* Effect.provide(list, ports);
      silent = true;
      assert.strictEqual(
        yield* Effect.provide(failureOf(Effect.asVoid<unknown, MailboxFailure, MailboxTree | MailboxReader>(ask)), ports),
        "MailServerError timeout",
      );
      silent = false;
      yield* Effect.provide(list, ports);
      yield* Effect.sleep(20);
      assert.strictEqual(server.open, 1);
    }),
  );
}

it.live("an interrupted command takes its connection with it", () =>
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

it.live("after a failure the server is left alone for a while, then asked again", () =>
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

it.live("connections nobody uses are closed", () =>
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

it.live("a new credential replaces the connections of the old one", () =>
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

it.live("all connections end with the layer", () =>
  Effect.gen(function* () {
    const { server } = yield* Effect.scoped(
      Effect.tap(scripted({}), ({ ports }) => Effect.provide(list, ports)),
    );
    yield* Effect.sleep(20);
    assert.strictEqual(server.open, 0);
  }),
);

it.live("fifty at once never have more than their share of connections", () =>
  Effect.gen(function* () {
    const { server, ports } = yield* scripted({}, { connectionsPerAccount: 3 });
    const many = Array.from({ length: 50 }, (_, n) => (n % 2 === 0 ? Effect.asVoid(list) : Effect.asVoid(view)));
    yield* Effect.provide(Effect.all(many, { concurrency: "unbounded" }), ports);
    assert.strictEqual(server.mostOpen, 3);
  }),
);

const COUNTED = "MESSAGES 5 UNSEEN 2 UIDNEXT 9 UIDVALIDITY 7";

it.live("without LIST-STATUS each mailbox is asked for its counts", () =>
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

it.live("with OBJECTID each mailbox has the server's own id, in the same round trip", () =>
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

it.live("a listing cut in the middle is a failure, not a short listing", () =>
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

it.live("what the server sends unasked during a FETCH is no message, and what is out of order is put in order", () =>
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
