import { assert, it } from "@effect/vitest";
import type { FolderNotFound, FolderNotSelectable, MailboxAccessError } from "@postern/core/mail";
import { CredentialVault } from "@postern/core/auth";
import type { MailboxTree } from "@postern/core/folders";
import type { MailboxReader } from "@postern/core/messages";
import { Effect, Redacted } from "effect";
import { failureOf } from "./failure-of.ts";
import { CREDENTIAL, JANE, list, scripted, signIn, view } from "./scripted-account.ts";
import type { Answer } from "./scripted-server.ts";

const QUICK = { timeouts: { connect: 200, greeting: 200, command: 200 } };

type MailboxFailure = MailboxAccessError | FolderNotFound | FolderNotSelectable;

const whenever = (start: string, said: Answer) => (command: string) => (command.startsWith(start) ? said : undefined);

const LOGINS: ReadonlyArray<readonly [said: string, atSignIn: string, stored: string]> = [
  ["NO [AUTHENTICATIONFAILED] Too many wrong guesses", "LoginRefused", "MailboxCredentialsRejected"],
  ["NO [EXPIRED] That password is no longer valid", "LoginRefused", "MailboxCredentialsRejected"],
  ["NO Invalid user or password", "LoginRefused", "MailServerError sign_in_unclear"],
  ["NO [ALERT] Something happened", "LoginRefused", "MailServerError sign_in_unclear"],
  [
    "NO [ALERT] Application-specific password required",
    "PasswordRefused app_password_required",
    "MailboxCredentialsRejected",
  ],
  ["NO Server Unavailable. 15", "MailServerError busy", "MailServerError busy"],
  ["NO Basic authentication is disabled.", "PasswordRefused basic_auth_disabled", "MailServerError sign_in_unclear"],
  [
    "NO [ALERT] Your account is not enabled for IMAP use.",
    "PasswordRefused imap_disabled",
    "MailboxCredentialsRejected",
  ],
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
  it.live(`maps the login answer "${said}" to ${atSignIn}`, () =>
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

it.live("does not treat a server with LOGINDISABLED as refusing the credential", () =>
  Effect.gen(function* () {
    const { ports } = yield* scripted({ capabilities: "IMAP4rev1 LOGINDISABLED" });
    assert.strictEqual(yield* Effect.provide(failureOf(signIn), ports), "MailServerError protocol");
    assert.strictEqual(yield* Effect.provide(failureOf(list), ports), "MailServerError protocol");
  }),
);

it.live("does not sign in at a server that asks for no password", () =>
  Effect.gen(function* () {
    const { ports } = yield* scripted({ greeting: "PREAUTH welcome" });
    assert.strictEqual(yield* Effect.provide(failureOf(signIn), ports), "MailServerError protocol");
    assert.strictEqual(yield* Effect.provide(failureOf(list), ports), "MailServerError protocol");
  }),
);

it.live("treats a mailbox to which Exchange Online is not connected as temporarily unavailable", () =>
  Effect.gen(function* () {
    const said = ["BAD User is authenticated but not connected."];
    for (const command of ["NAMESPACE", "LIST", "SELECT"]) {
      const capabilities = "IMAP4rev1 NAMESPACE";
      const { server, ports } = yield* scripted({ capabilities, answer: whenever(command, said) });
      yield* Effect.provide(Effect.ignore(signIn), ports);
      assert.strictEqual(yield* Effect.provide(failureOf(list), ports), "MailServerError busy", command);
      assert.isTrue(server.commands.some((sent) => sent.startsWith("LOGIN")));
    }
  }),
);

for (const said of ["silence", "hang up", ["BAD what?"]] as const) {
  it.live(`signs in and closes the connection where LOGOUT is answered by ${said}`, () =>
    Effect.gen(function* () {
      const { server, ports } = yield* scripted({ answer: whenever("LOGOUT", said) }, QUICK);
      yield* Effect.provide(signIn, ports);
      for (let n = 0; server.open > 0 && n < 100; n++) yield* Effect.sleep(20);
      assert.strictEqual(server.open, 0);
      assert.include(server.commands, "LOGOUT");
    }),
  );
}

it.live("tries a refused stored credential once for many concurrent calls [S3.7-2]", () =>
  Effect.gen(function* () {
    const { server, ports } = yield* scripted({ answer: whenever("LOGIN", ["NO [AUTHENTICATIONFAILED] no"]) });
    const many = Effect.forEach(Array.from({ length: 20 }), () => failureOf(list), { concurrency: "unbounded" });
    assert.deepStrictEqual(new Set(yield* Effect.provide(many, ports)), new Set(["MailboxCredentialsRejected"]));
    assert.strictEqual(server.commands.filter((command) => command.startsWith("LOGIN")).length, 1);
  }),
);

it.live("does not reveal the password in an error", () =>
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
  ["greets with BYE", { greeting: "BYE going down" }, "MailServerError unreachable"],
  ["speaks another language", { greeting: "220 smtp ready" }, "MailServerError protocol"],
];
for (const [what, script, expected] of STALLS) {
  it.live(`fails with ${expected} at a server that ${what}`, () =>
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
  it.live(`gives up a connection that falls silent at ${stage} and opens a new one for the next request`, () =>
    Effect.gen(function* () {
      let silent = false;
      const { server, ports } = yield* scripted(
        { answer: (command) => (silent && command.startsWith(stage) ? "silence" : undefined) },
        QUICK,
      );
      if (stage !== "SELECT") yield* Effect.provide(list, ports);
      silent = true;
      assert.strictEqual(
        yield* Effect.provide(
          failureOf(Effect.asVoid<unknown, MailboxFailure, MailboxTree | MailboxReader>(ask)),
          ports,
        ),
        "MailServerError timeout",
      );
      silent = false;
      yield* Effect.provide(list, ports);
      yield* Effect.sleep(20);
      assert.strictEqual(server.open, 1);
    }),
  );
}
