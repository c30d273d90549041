import { assert, it } from "@effect/vitest";
import { CredentialVault, MailLogin } from "@postern/core/auth";
import { MailboxTree } from "@postern/core/folders";
import { MailboxReader } from "@postern/core/messages";
import { type ImapOptions, layer as imap } from "@postern/imap";
import {
  describeWithDovecot,
  Dovecot,
  MailServerControl,
  mailServersAt,
  plainMessage,
  signedInAccount,
} from "@postern/testkit";
import { Clock, Effect, Layer, Redacted } from "effect";
import { ImapConnections } from "../src/session/ImapConnections.ts";
import { settingsOf } from "../src/connection/ImapOptions.ts";
import { failureOf } from "./failure-of.ts";
import { imapOnDovecot } from "./imap-on-dovecot.ts";

describeWithDovecot("IMAP on Dovecot, beyond the contracts", () => {
  it.live("reports an outage as unreachable, never as a refusal, and recovers within two seconds [S3.1-2]", () =>
    Effect.gen(function* () {
      const dovecot = yield* Dovecot;
      const tree = yield* MailboxTree;
      const login = yield* MailLogin;
      const { account, credential } = yield* signedInAccount;
      yield* tree.list(account);
      yield* dovecot.stop;
      const until = (yield* Clock.currentTimeMillis) + 2_500;
      while ((yield* Clock.currentTimeMillis) < until) {
        assert.strictEqual(yield* failureOf(tree.list(account)), "MailServerError unreachable");
        assert.strictEqual(yield* failureOf(login.verify(account, credential)), "MailServerError unreachable");
        yield* Effect.sleep(20);
      }
      yield* dovecot.start;
      yield* login.verify(account, credential);
      const back = yield* Clock.currentTimeMillis;
      while ((yield* Effect.result(tree.list(account)))._tag === "Failure") yield* Effect.sleep(20);
      assert.isBelow((yield* Clock.currentTimeMillis) - back, 2_100);
    }).pipe(Effect.provide(imapOnDovecot())),
  );

  it.live("does not fail calls after connections died unnoticed", () =>
    Effect.gen(function* () {
      const dovecot = yield* Dovecot;
      const tree = yield* MailboxTree;
      const reader = yield* MailboxReader;
      const { account } = yield* signedInAccount;
      const look = Effect.scoped(reader.view(account, "INBOX"));
      for (let n = 0; n < 3; n++) {
        yield* Effect.all([tree.list(account), look, look], { concurrency: "unbounded" });
        yield* dovecot.stop;
        yield* dovecot.start;
        yield* Effect.all([tree.list(account), look, look], { concurrency: "unbounded" });
      }
    }).pipe(Effect.provide(imapOnDovecot())),
  );

  it.live("does not fail a call when the server ends the session because its open folder was renamed", () =>
    Effect.gen(function* () {
      const control = yield* MailServerControl;
      const tree = yield* MailboxTree;
      const reader = yield* MailboxReader;
      const { account } = yield* signedInAccount;
      for (let n = 0; n < 5; n++) {
        yield* control.createMailbox(account, `Old ${n}`);
        yield* Effect.scoped(reader.view(account, `Old ${n}`));
        yield* control.renameMailbox(account, `Old ${n}`, `New ${n}`);
        yield* tree.list(account);
        yield* Effect.scoped(reader.view(account, `New ${n}`));
      }
    }).pipe(Effect.provide(imapOnDovecot({}, { connectionsPerAccount: 1 }))),
  );

  it.live("rejects a stored password once after it changed at the server, until a new sign-in", () =>
    Effect.gen(function* () {
      const dovecot = yield* Dovecot;
      const vault = yield* CredentialVault;
      const tree = yield* MailboxTree;
      const { account, credential } = yield* signedInAccount;
      yield* tree.list(account);
      yield* dovecot.setPassword(credential.username, "changed");
      yield* dovecot.stop;
      yield* dovecot.start;
      const refused = Effect.forEach(Array.from({ length: 10 }), () => failureOf(tree.list(account)), {
        concurrency: "unbounded",
      });
      for (const round of [1, 2]) {
        assert.deepStrictEqual(new Set(yield* refused), new Set(["MailboxCredentialsRejected"]), `round ${round}`);
      }
      const logged = Effect.map(dovecot.log, (log) => log.match(/auth failed, 1 attempts/g) ?? []);
      while ((yield* logged).length === 0) yield* Effect.sleep(20);
      yield* Effect.sleep(100);
      assert.lengthOf(yield* logged, 1);
      yield* vault.keep(account, { ...credential, password: Redacted.make("changed") });
      assert.strictEqual((yield* tree.list(account))[0]?.path, "INBOX");
    }).pipe(Effect.provide(imapOnDovecot())),
  );

  it.live("waits for existing connections if the server allows fewer than configured [S1.3-11]", () =>
    Effect.gen(function* () {
      const tree = yield* MailboxTree;
      const reader = yield* MailboxReader;
      const { account } = yield* signedInAccount;
      yield* Effect.all(
        Array.from({ length: 30 }, (_, n) =>
          n % 2 === 0 ? Effect.asVoid(tree.list(account)) : Effect.scoped(Effect.asVoid(reader.view(account, "Sent"))),
        ),
        { concurrency: "unbounded" },
      );
    }).pipe(Effect.provide(imapOnDovecot({ connectionsPerUser: 2 }, { connectionsPerAccount: 6 }))),
  );

  it.live("reports busy if the server allows no further connection [S1.3-11]", () =>
    Effect.gen(function* () {
      const control = yield* MailServerControl;
      const tree = yield* MailboxTree;
      const { account } = yield* signedInAccount;
      yield* control.createMailbox(account, "takes the only one");
      assert.strictEqual(yield* failureOf(tree.list(account)), "MailServerError busy");
      const vault = yield* CredentialVault;
      yield* vault.reveal(account);
    }).pipe(Effect.provide(imapOnDovecot({ connectionsPerUser: 1 }))),
  );

  it.live("uses names of a namespace with a prefix unchanged", () =>
    Effect.gen(function* () {
      const control = yield* MailServerControl;
      const tree = yield* MailboxTree;
      const reader = yield* MailboxReader;
      const { account } = yield* signedInAccount;
      yield* control.createMailbox(account, "INBOX.Work");
      yield* control.append(account, "INBOX.Work", plainMessage("one"));
      const listed = yield* tree.list(account);
      assert.deepStrictEqual(Object.fromEntries(listed.map(({ path, role }) => [path, role])), {
        INBOX: "inbox",
        "INBOX.Sent": "sent",
        "INBOX.Drafts": "drafts",
        "INBOX.Junk": "junk",
        "INBOX.Trash": "trash",
        "INBOX.Work": null,
      });
      assert.strictEqual((yield* Effect.scoped(reader.view(account, "INBOX.Work"))).total, 1);
      assert.strictEqual(yield* failureOf(Effect.scoped(reader.view(account, "Work"))), "FolderNotFound");
    }).pipe(Effect.provide(imapOnDovecot({ separator: ".", prefix: "INBOX." }))),
  );

  for (const [connectionsPerAccount, bulk] of [
    [2, 1],
    [3, 1],
    [5, 3],
  ] as const) {
    it.live(`lets bulk work hold ${bulk} of ${connectionsPerAccount} connections without delaying a listing`, () =>
      Effect.gen(function* () {
        const connections = yield* ImapConnections;
        const { account } = yield* signedInAccount;
        let holding = 0;
        const download = Effect.scoped(
          Effect.andThen(
            connections.hold(account, "bulk", "Sent", () => Effect.sync(() => void holding++)),
            Effect.never,
          ),
        );
        for (let n = 0; n < 8; n++) yield* Effect.forkChild(download, { startImmediately: true });
        while (holding < bulk) yield* Effect.sleep(20);
        yield* Effect.sleep(100);
        assert.strictEqual(holding, bulk);
        const listing = connections.hold(account, "interactive", "INBOX", (client) =>
          Effect.promise(() => client.list()),
        );
        for (let n = 0; n < 5; n++) assert.isAbove((yield* Effect.scoped(listing)).length, 0);
        assert.strictEqual(holding, bulk);
      }).pipe(Effect.provide(connectionsOnDovecot({ connectionsPerAccount })), Effect.timeout("5 seconds")),
    );
  }

  it.live("releases everything when a waiting caller is interrupted", () =>
    Effect.gen(function* () {
      const connections = yield* ImapConnections;
      const { account } = yield* signedInAccount;
      const use = connections.hold(account, "interactive", "INBOX", () => Effect.void);
      yield* Effect.scoped(
        Effect.andThen(
          use,
          Effect.forEach(Array.from({ length: 20 }), () => Effect.timeoutOption(Effect.scoped(use), 20), {
            concurrency: "unbounded",
          }),
        ),
      );
      for (let n = 0; n < 3; n++) yield* Effect.scoped(use);
    }).pipe(Effect.provide(connectionsOnDovecot({ connectionsPerAccount: 1 })), Effect.timeout("5 seconds")),
  );

  it.live("stops waiting for a connection after the timeout", () =>
    Effect.gen(function* () {
      const connections = yield* ImapConnections;
      const { account } = yield* signedInAccount;
      const use = connections.hold(account, "interactive", "INBOX", () => Effect.void);
      yield* use;
      assert.strictEqual(yield* failureOf(Effect.scoped(use)), "MailServerError busy");
    }).pipe(Effect.provide(connectionsOnDovecot({ connectionsPerAccount: 1, timeouts: { command: 200 } }))),
  );

  it.live("does not connect where STARTTLS is required and not offered [S1.3-7]", () =>
    Effect.gen(function* () {
      const login = yield* MailLogin;
      const { account, credential } = yield* signedInAccount;
      assert.strictEqual(yield* failureOf(login.verify(account, credential)), "MailServerError unreachable");
    }).pipe(Effect.provide(imapOnDovecot({}, {}, "starttls"))),
  );

  for (const tls of ["implicit", "starttls"] as const) {
    it.live(`connects by ${tls} TLS only with a trusted certificate [S1.3-8]`, () =>
      Effect.gen(function* () {
        const dovecot = yield* Dovecot;
        const { account, credential } = yield* (yield* MailServerControl).newAccount;
        const { port, ca } = dovecot.tls!;
        const server = mailServersAt({ host: "127.0.0.1", port: tls === "implicit" ? port : dovecot.port, tls });
        const signIn = (options: ImapOptions) =>
          Effect.flatMap(MailLogin, (login) => login.verify(account, credential)).pipe(
            Effect.provide(Layer.provide(imap(options), server)),
          );
        yield* signIn({ tlsOptions: { ca } });
        assert.strictEqual(yield* failureOf(signIn({})), "MailServerError untrusted");
        assert.strictEqual(
          yield* failureOf(signIn({ tlsOptions: { ca, servername: "elsewhere.test" } })),
          "MailServerError untrusted",
        );
      }).pipe(Effect.provide(imapOnDovecot({ tls: true }))),
    );
  }
});

/** Only the connections, without the ports. */
const connectionsOnDovecot = (options: ImapOptions) =>
  Layer.unwrap(
    Effect.map(Dovecot, ({ host, port }) =>
      Layer.provide(ImapConnections.layer(settingsOf(options)), mailServersAt({ host, port })),
    ),
  ).pipe(Layer.provideMerge(imapOnDovecot()));
