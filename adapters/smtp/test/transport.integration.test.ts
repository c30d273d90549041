import { assert, describe, it } from "@effect/vitest";
import { AccountId } from "@postern/core/shared";
import { HostAdmission } from "@postern/core/accounts";
import { CredentialVault } from "@postern/core/auth";
import { type MailServer, MailServers, NoMailServers } from "@postern/core/mail";
import { type AttemptOutcome, MailTransport, type RecipientReplies, type Submission } from "@postern/core/send";
import {
  mailServersAt,
  MailTransportControl,
  scriptedGuard,
  ScriptedSmtp,
  type ScriptedSmtpOptions,
  passwordsOnly,
} from "@postern/testkit";
import { Effect, Fiber, Layer, Option, Redacted, Stream } from "effect";
import { SMTPServer } from "smtp-server";
import { layer, type SmtpOptions } from "../src/index.ts";
import { transportOnScriptedSmtp, Vault } from "./transport-on-scripted-smtp.ts";

const bytes = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));

const account = Effect.gen(function* () {
  const made = yield* (yield* MailTransportControl).newAccount;
  yield* (yield* CredentialVault).keep(made.account, made.credential);
  return made.account;
});

const send = Effect.fnUntraced(function* (
  submission: Partial<Submission> & { readonly from: Submission["from"] },
  beforeDot: (replies: RecipientReplies) => Effect.Effect<boolean> = () => Effect.succeed(true),
) {
  const transport = yield* MailTransport;
  return yield* transport.deliver(
    AccountId(submission.from),
    {
      recipients: ["a@y.test"],
      size: 100,
      envelopeId: "out_1",
      message: Stream.make(bytes("Subject: x\r\n\r\nHi\r\n")),
      ...submission,
    },
    beforeDot,
  );
});

const on = <A, E>(
  options: {
    readonly client?: SmtpOptions;
    readonly server?: ScriptedSmtpOptions;
    readonly tls?: MailServer["tls"];
  },
  test: Effect.Effect<A, E, MailTransport | MailTransportControl | CredentialVault | ScriptedSmtp>,
) => test.pipe(Effect.provide(transportOnScriptedSmtp(options.client, options.server, options.tls)));

const answered = (outcome: AttemptOutcome) => assert.strictEqual(outcome._tag, "Answered");

describe("connections", () => {
  it.live("are reused for the next message of the account, and by no other account", () =>
    on(
      {},
      Effect.gen(function* () {
        const server = yield* ScriptedSmtp;
        const [one, other] = [yield* account, yield* account];
        for (let n = 0; n < 5; n++) answered(yield* send({ from: one }));
        assert.strictEqual(server.connections(), 1);
        answered(yield* send({ from: other }));
        assert.strictEqual(server.connections(), 2);
      }),
    ),
  );

  it.live("go to the account's own server; an account without servers fails", () =>
    Effect.gen(function* () {
      const { host, port } = yield* ScriptedSmtp;
      const [one, other] = [yield* account, yield* account];
      const server = { host, port, tls: "plaintext", origin: "operator" } as const;
      const asked: Array<AccountId> = [];
      const servers = Layer.succeed(MailServers, {
        of: (whose) => {
          asked.push(whose);
          return whose === one ? Effect.succeed({ imap: server, smtp: server }) : new NoMailServers();
        },
      });
      const vault = Layer.succeed(CredentialVault, yield* CredentialVault);
      yield* Effect.gen(function* () {
        answered(yield* send({ from: one }));
        assert.deepInclude(yield* send({ from: other }), { _tag: "NotSent", reason: "unreachable" });
      }).pipe(
        Effect.provide(
          Layer.provide(layer(), [
            servers,
            scriptedGuard(),
            HostAdmission.unlimited,
            Layer.provide(passwordsOnly, vault),
          ]),
        ),
      );
      assert.deepStrictEqual(asked, [one, other]);
    }).pipe(Effect.provide(transportOnScriptedSmtp())),
  );

  it.live("do not exceed the maximum per account", () =>
    on(
      { client: { connectionsPerAccount: 2 } },
      Effect.gen(function* () {
        const server = yield* ScriptedSmtp;
        const from = yield* account;
        yield* Effect.all(
          Array.from({ length: 12 }, () => send({ from })),
          { concurrency: "unbounded" },
        );
        assert.strictEqual(server.connections(), 2);
        assert.lengthOf(server.taken(), 12);
      }),
    ),
  );

  it.live("are replaced without a failure when they died while idle", () =>
    on(
      {},
      Effect.gen(function* () {
        const server = yield* ScriptedSmtp;
        const from = yield* account;
        answered(yield* send({ from }));
        server.hangUp();
        answered(yield* send({ from }));
        assert.lengthOf(server.taken(), 2);
      }),
    ),
  );

  it.live("are closed after the idle timeout", () =>
    on(
      { client: { timeouts: { idle: "50 millis" } } },
      Effect.gen(function* () {
        const server = yield* ScriptedSmtp;
        const from = yield* account;
        answered(yield* send({ from }));
        yield* Effect.sleep("300 millis");
        assert.include(server.lines(), "QUIT");
        answered(yield* send({ from }));
        assert.strictEqual(server.connections(), 2);
      }),
    ),
  );
});

describe("a conversation", () => {
  it.live("uses the extensions the server offers", () =>
    on(
      {},
      Effect.gen(function* () {
        const server = yield* ScriptedSmtp;
        const from = yield* account;
        answered(yield* send({ from, size: 4321, recipients: ["用户@y.test", "b@y.test"] }));
        const said = server.lines().filter((line) => /^(MAIL|RCPT|DATA)/.test(line));
        assert.deepStrictEqual(said, [
          `MAIL FROM:<${from}> SMTPUTF8 SIZE=4321 RET=HDRS ENVID=out_1`,
          "RCPT TO:<用户@y.test> NOTIFY=FAILURE,DELAY",
          "RCPT TO:<b@y.test> NOTIFY=FAILURE,DELAY",
          "DATA",
        ]);
      }),
    ),
  );

  it.live("uses no extension a bare server lacks, and refuses addresses it cannot take", () =>
    on(
      { server: { extensions: ["AUTH PLAIN"] } },
      Effect.gen(function* () {
        const server = yield* ScriptedSmtp;
        const from = yield* account;
        let replies: RecipientReplies = new Map();
        const outcome = yield* send({ from, recipients: ["用户@y.test", "b@y.test"] }, (given) =>
          Effect.sync(() => {
            replies = given;
            return true;
          }),
        );
        answered(outcome);
        assert.deepInclude(replies.get("用户@y.test"), { code: 553, enhanced: "5.6.7" });
        assert.deepStrictEqual(
          server.lines().filter((line) => /^(MAIL|RCPT)/.test(line)),
          [`MAIL FROM:<${from}>`, "RCPT TO:<b@y.test>"],
        );
        const none = yield* send({ from, recipients: ["用户@y.test"] });
        assert.strictEqual(none._tag, "RecipientsRefused");
      }),
    ),
  );

  it.live("ends before the message where the server offers no AUTH, unless that is allowed", () =>
    Effect.gen(function* () {
      yield* on(
        { server: { extensions: [] } },
        Effect.gen(function* () {
          const outcome = yield* send({ from: yield* account });
          assert.deepInclude(outcome, { _tag: "NotSent", reason: "protocol" });
          assert.match((outcome as { readonly detail: string }).detail, /SMTP_REQUIRE_AUTH/);
          assert.notMatch((yield* ScriptedSmtp).lines().join("\n"), /AUTH|MAIL/);
        }),
      );
      yield* on(
        { client: { requireAuth: false }, server: { extensions: [] } },
        Effect.gen(function* () {
          answered(yield* send({ from: yield* account }));
          assert.notMatch((yield* ScriptedSmtp).lines().join("\n"), /AUTH/);
        }),
      );
    }),
  );

  it.live("sends no password before TLS where TLS is required", () =>
    Effect.gen(function* () {
      yield* on(
        { tls: "starttls" },
        Effect.gen(function* () {
          const outcome = yield* send({ from: yield* account });
          assert.deepInclude(outcome, { _tag: "NotSent" });
          assert.notMatch((yield* ScriptedSmtp).lines().join("\n"), /AUTH|MAIL/);
        }),
      );
    }),
  );

  it.live("refuses a message above the server's SIZE and reports the limit", () =>
    on(
      { server: { extensions: ["SIZE 1000", "AUTH PLAIN"] } },
      Effect.gen(function* () {
        const transport = yield* MailTransport;
        const from = yield* account;
        assert.deepStrictEqual(yield* transport.maxMessageBytes(from), Option.none());
        const { host, port } = yield* ScriptedSmtp;
        const tooLarge = { _tag: "TooLarge", limit: 1000, server: `${host}:${port}` };
        assert.deepStrictEqual<unknown>(yield* send({ from, size: 1001 }), tooLarge);
        assert.deepStrictEqual(yield* transport.maxMessageBytes(from), Option.some(1000));
      }),
    ),
  );

  it.live("notices that a server raised its SIZE, even on an existing connection", () => {
    const extensions = ["SIZE 1000", "AUTH PLAIN"];
    return on(
      { server: { extensions } },
      Effect.gen(function* () {
        const from = yield* account;
        answered(yield* send({ from, size: 1000 }));
        extensions[0] = "SIZE 2000";
        answered(yield* send({ from, size: 1001 }));
        assert.deepInclude(yield* send({ from, size: 2001 }), { _tag: "TooLarge", limit: 2000 });
      }),
    );
  });
});

describe("a silent server", () => {
  const timeouts = { connect: "300 millis", command: "300 millis", dot: "300 millis" } as const;
  const silent = () => new Promise<void>(() => {});

  it.live("after the dot makes the outcome unknown", () =>
    on(
      { client: { timeouts } },
      Effect.gen(function* () {
        (yield* ScriptedSmtp).onStage((stage) => (stage === "dot" ? silent() : undefined));
        assert.deepInclude(yield* send({ from: yield* account }), { _tag: "Unknown", reason: "timeout" });
      }),
    ),
  );

  for (const stage of ["greeting", "ehlo", "auth", "mail", "rcpt"] as const) {
    it.live(`after ${stage} fails the attempt with nothing sent`, () =>
      on(
        { client: { timeouts } },
        Effect.gen(function* () {
          const server = yield* ScriptedSmtp;
          server.onStage((now) => (now === stage ? silent() : undefined));
          const outcome = yield* send({ from: yield* account });
          assert.deepInclude(outcome, { _tag: "NotSent", reason: "timeout" });
          assert.lengthOf(server.taken(), 0);
        }),
      ),
    );
  }

  it.live("may take longer for the dot than for a command", () =>
    on(
      { client: { timeouts: { ...timeouts, dot: "5 seconds" } } },
      Effect.gen(function* () {
        const late = (stage: string) =>
          stage === "dot" ? new Promise<void>((resolve) => setTimeout(resolve, 700)) : undefined;
        (yield* ScriptedSmtp).onStage(late);
        answered(yield* send({ from: yield* account }));
      }),
    ),
  );
});

it.live("sends no dot for an interrupted attempt", () =>
  on(
    {},
    Effect.gen(function* () {
      const server = yield* ScriptedSmtp;
      const from = yield* account;
      const fiber = yield* Effect.forkChild(send({ from }, () => Effect.as(Effect.sleep("200 millis"), true)));
      yield* Effect.sleep("100 millis");
      yield* Fiber.interrupt(fiber);
      yield* Effect.sleep("300 millis");
      assert.lengthOf(server.taken(), 0);
      answered(yield* send({ from }));
    }),
  ),
);

it.live("works with the package smtp-server, large messages included", () =>
  Effect.gen(function* () {
    const received: Array<{ readonly to: ReadonlyArray<string>; readonly size: number }> = [];
    const server = new SMTPServer({
      authOptional: false,
      allowInsecureAuth: true,
      disabledCommands: ["STARTTLS"],
      onAuth: ({ username, password }, _, done) =>
        username === "u@x.test" && password === "right" ? done(null, { user: username }) : done(new Error("no")),
      onData: (stream, session, done) => {
        let size = 0;
        stream.on("data", (chunk: Buffer) => (size += chunk.length));
        stream.on("end", () => {
          received.push({ to: session.envelope.rcptTo.map(({ address }) => address), size });
          done();
        });
      },
    });
    yield* Effect.acquireRelease(
      Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()))),
      () => Effect.promise(() => new Promise<void>((resolve) => server.close(() => resolve()))),
    );
    const { port } = server.server.address() as { port: number };
    const block = bytes(`${"x".repeat(1022)}\r\n`.repeat(64));
    const message = Stream.fromIterable([bytes("Subject: x\r\n\r\n"), ...Array.from({ length: 160 }, () => block)]);
    const outcome = yield* Effect.gen(function* () {
      yield* (yield* CredentialVault).keep(AccountId("u@x.test"), {
        _tag: "Password",
        username: "u@x.test",
        password: Redacted.make("right"),
      });
      return yield* send({ from: "u@x.test", recipients: ["a@y.test", "b@y.test"], message });
    }).pipe(
      Effect.provide(
        layer().pipe(Layer.provide(mailServersAt({ host: "127.0.0.1", port })), Layer.provideMerge(Vault)),
      ),
    );
    answered(outcome);
    assert.deepStrictEqual(received[0]?.to, ["a@y.test", "b@y.test"]);
    assert.isAbove(received[0]!.size, block.length);
  }).pipe(Effect.scoped),
);
