import { assert, it } from "@effect/vitest";
import { sweeps, UseCases } from "@postern/core";
import { AccountDirectory, AccountSettings, newAccount } from "@postern/core/accounts";
import { AccountId } from "@postern/core/shared";
import { MailboxCredentialsRejected, MailServerError } from "@postern/core/mail";
import {
  AccountSessions,
  CredentialVault,
  LoginAttempts,
  type LoginHistory,
  LoginRefused,
  type MailCredential,
  secretOf,
  MailLogin,
  SessionTokens,
  Sessions,
} from "@postern/core/auth";
import { FolderRecords, FolderRemovals } from "@postern/core/folders";
import { AccountRemoval, SignIn } from "@postern/core/lifecycle";
import { adaptersInMemory } from "@postern/harness";
import { Deferred, Effect, Fiber, Layer, Option, Redacted } from "effect";
import { TestClock } from "effect/testing";
import { describe } from "vitest";

const ME = AccountId("me@postern.test");
const CLIENT = { network: "192.0.2.1", userAgent: "test" };

/** A mail server that records sign-ins and answers by the password. */
const scriptedMailServer = (asked: Array<string>, gate: Effect.Effect<void> = Effect.void) =>
  Layer.succeed(MailLogin, {
    verify: Effect.fnUntraced(function* (_account: AccountId, credential: MailCredential) {
      const password = secretOf(credential);
      asked.push(Redacted.value(password));
      yield* gate;
      if (Redacted.value(password).startsWith("down")) {
        return yield* new MailServerError({ reason: "unreachable", operation: "login", detail: "down" });
      }
      if (Redacted.value(password).startsWith("unclear")) return yield* new LoginRefused({ isUnclear: true });
      if (!Redacted.value(password).startsWith("right")) return yield* new LoginRefused();
      return { uidValidity: 1, uidNext: 1, highestModSeq: null };
    }),
  });

const service = (mailServer: Layer.Layer<MailLogin>, settings: Layer.Layer<never> = Layer.empty) =>
  Layer.provideMerge(UseCases, Layer.provideMerge(Layer.merge(mailServer, settings), adaptersInMemory));

const signIn = (password: string) =>
  Effect.flatMap(SignIn, ({ withPassword }) => withPassword("Me@postern.test", Redacted.make(password), CLIENT));

const hasCredential = Effect.flatMap(CredentialVault, ({ reveal }) =>
  Effect.catchIf(
    Effect.as(reveal(ME), true),
    (error) => error instanceof MailboxCredentialsRejected,
    () => Effect.succeed(false),
  ),
);

const history = Effect.gen(function* () {
  const seen: Array<LoginHistory> = [];
  const at = yield* TestClock.testClockWith(({ currentTimeMillis }) => currentTimeMillis);
  const probe = { id: "probe", account: ME, network: CLIENT.network, passwordMark: "probe", at };
  yield* (yield* LoginAttempts).judge(probe, (found) => {
    seen.push(found);
    return { _tag: "Wait" };
  });
  return seen[0]!;
});

describe("the mail credential", () => {
  it.effect("is kept while the account has a session, and erased with the last one [S3.7-5]", () =>
    Effect.gen(function* () {
      const sessions = yield* AccountSessions;
      yield* signIn("right");
      yield* signIn("right again");
      const [last, first] = (yield* sessions.page(ME, {})).items;
      yield* sessions.end(ME, first!.id);
      assert.isTrue(yield* hasCredential);
      yield* sessions.end(ME, last!.id);
      assert.isFalse(yield* hasCredential);
    }).pipe(Effect.provide(service(scriptedMailServer([])))),
  );

  it.effect("is erased with a session whose refresh token was used twice", () =>
    Effect.gen(function* () {
      const refresh = yield* SessionTokens;
      const { refreshToken } = yield* signIn("right");
      yield* refresh.exchange(refreshToken);
      yield* TestClock.adjust("31 seconds");
      assert.strictEqual((yield* Effect.flip(refresh.exchange(refreshToken)))._tag, "RefreshReused");
      assert.isFalse(yield* hasCredential);
    }).pipe(Effect.provide(service(scriptedMailServer([])))),
  );

  it.effect("is erased when the last session has expired and was swept", () =>
    Effect.gen(function* () {
      const sessions = yield* AccountSessions;
      yield* signIn("right");
      yield* TestClock.adjust("29 days");
      yield* sessions.sweep;
      assert.isTrue(yield* hasCredential);
      yield* TestClock.adjust("1 day");
      yield* sessions.sweep;
      assert.isFalse(yield* hasCredential);
    }).pipe(Effect.provide(service(scriptedMailServer([])))),
  );

  it.effect("is kept while a folder of the account is being removed [S3.7-5]", () =>
    Effect.gen(function* () {
      const removals = yield* FolderRemovals;
      yield* signIn("right");
      const begun = yield* removals.begin({
        id: "r1",
        account: ME,
        folderId: "f_old",
        path: "Old",
        uidValidity: 1,
        hiddenPath: "hidden",
        folders: [],
        delimiter: "/",
        destination: null,
        phase: "hiding",
        moved: 0,
        remaining: 0,
        batch: null,
        begunAt: 0,
        failures: 0,
        dueAt: 0,
        reason: null,
      });
      const sessions = yield* AccountSessions;
      const end = Effect.gen(function* () {
        for (const { id } of (yield* sessions.page(ME, {})).items) yield* sessions.end(ME, id);
      });
      yield* end;
      assert.isTrue(yield* hasCredential);
      yield* removals.forget(begun.id);
      yield* signIn("right");
      yield* end;
      assert.isFalse(yield* hasCredential);
    }).pipe(Effect.provide(service(scriptedMailServer([])))),
  );

  it.effect("is erased with the account", () =>
    Effect.gen(function* () {
      const records = yield* FolderRecords;
      yield* signIn("right");
      yield* records.replace(ME, [
        { id: "inbox", key: "inbox", path: "INBOX", mailboxId: null, uidValidity: 1, uidNext: 1, createdAt: 0 },
      ]);
      yield* (yield* AccountRemoval).remove(ME);
      assert.isFalse(yield* hasCredential);
      assert.deepStrictEqual(yield* (yield* Sessions).list(ME, 0, 10), []);
      assert.deepStrictEqual(yield* records.load(ME), []);
      assert.deepStrictEqual(yield* history, { attempts: [], lastSuccessAt: null });
    }).pipe(Effect.provide(service(scriptedMailServer([])))),
  );
});

describe("a session", () => {
  it.effect("stores its cookie and its refresh tokens as hashes [S3.3-4] [S3.5-2]", () =>
    Effect.gen(function* () {
      const { forBrowser } = yield* SignIn;
      const { refreshToken } = yield* signIn("right");
      const { cookie } = yield* forBrowser("Me@postern.test", Redacted.make("right"), CLIENT);
      yield* (yield* SessionTokens).exchange(refreshToken);
      const stored = JSON.stringify(yield* (yield* Sessions).list(ME, 0, 10));
      assert.include(stored, "cookieHash");
      for (const secret of [cookie, refreshToken]) assert.notInclude(stored, secret);
    }).pipe(Effect.provide(service(scriptedMailServer([])))),
  );
});

describe("guessing passwords", () => {
  it.effect("fifty times concurrently reaches the mail server five times [S3.6-1]", () => {
    const asked: Array<string> = [];
    return Effect.gen(function* () {
      const guesses = Array.from({ length: 50 }, (_, n) => Effect.flip(signIn(`guess ${n}`)));
      const all = yield* Effect.forkChild(Effect.all(guesses, { concurrency: "unbounded" }));
      yield* TestClock.adjust("1 second");
      const tags = (yield* Fiber.join(all)).map(({ _tag }) => _tag);
      assert.strictEqual(asked.length, 5);
      assert.strictEqual(tags.filter((tag) => tag === "LoginRefused").length, 5);
      assert.strictEqual(tags.filter((tag) => tag === "TooManyLoginFailures").length, 45);
    }).pipe(Effect.provide(service(scriptedMailServer(asked))));
  });

  it.effect("the same password again is refused without asking the mail server, for 15 minutes [S3.6-4]", () => {
    const asked: Array<string> = [];
    return Effect.gen(function* () {
      for (let times = 0; times < 3; times++) {
        assert.strictEqual((yield* Effect.flip(signIn("wrong")))._tag, "LoginRefused");
      }
      yield* TestClock.adjust("15 minutes");
      assert.strictEqual((yield* Effect.flip(signIn("wrong")))._tag, "LoginRefused");
      assert.deepStrictEqual(asked, ["wrong", "wrong"]);
    }).pipe(Effect.provide(service(scriptedMailServer(asked))));
  });
});

describe("the throttle of sign-ins", () => {
  it.effect("does not count an outage of the mail server [S3.1-2]", () =>
    Effect.gen(function* () {
      for (let times = 0; times < 20; times++) {
        assert.strictEqual((yield* Effect.flip(signIn("down")))._tag, "MailServerError");
      }
      yield* signIn("right");
      assert.deepStrictEqual((yield* history).attempts, []);
    }).pipe(Effect.provide(service(scriptedMailServer([])))),
  );

  it.effect(
    "a password that was refused without a reason is tried at the mail server again, and counts [S10.3-9] [S3.6-5]",
    () => {
      const asked: Array<string> = [];
      return Effect.gen(function* () {
        for (let times = 0; times < 5; times++) {
          assert.strictEqual((yield* Effect.flip(signIn("unclear")))._tag, "LoginRefused");
        }
        assert.strictEqual((yield* Effect.flip(signIn("unclear")))._tag, "TooManyLoginFailures");
        assert.lengthOf(asked, 5);
      }).pipe(Effect.provide(service(scriptedMailServer(asked))));
    },
  );

  it.effect("does not count a client that disconnects before the mail server answers", () => {
    const asked: Array<string> = [];
    return Effect.gen(function* () {
      for (let times = 0; times < 20; times++) {
        const fiber = yield* Effect.forkChild(signIn("wrong"));
        while (asked.length <= times) yield* Effect.yieldNow;
        yield* Fiber.interrupt(fiber);
      }
      assert.deepStrictEqual((yield* history).attempts, []);
    }).pipe(Effect.provide(service(scriptedMailServer(asked, Effect.never))));
  });

  it.effect("allows twenty concurrent sign-ins with the right password", () =>
    Effect.gen(function* () {
      const open = yield* Deferred.make<void>();
      const asked: Array<string> = [];
      yield* Effect.gen(function* () {
        const all = yield* Effect.forkChild(
          Effect.all(
            Array.from({ length: 20 }, () => signIn("right")),
            { concurrency: "unbounded" },
          ),
        );
        while (asked.length < 4) yield* Effect.yieldNow;
        yield* Deferred.succeed(open, undefined);
        yield* TestClock.adjust("5 seconds");
        assert.lengthOf(yield* Fiber.join(all), 20);
        assert.lengthOf((yield* (yield* AccountSessions).page(ME, {})).items, 20);
        const { attempts, lastSuccessAt } = yield* history;
        assert.deepStrictEqual(attempts, []);
        assert.isNotNull(lastSuccessAt);
      }).pipe(Effect.provide(service(scriptedMailServer(asked, Deferred.await(open)))));
    }),
  );

  it.effect("forgets a failed sign-in after a day", () =>
    Effect.gen(function* () {
      yield* Effect.flip(signIn("wrong"));
      yield* TestClock.adjust("1 day");
      yield* Effect.flatMap(sweeps, Effect.all);
      assert.deepStrictEqual((yield* history).attempts, []);
    }).pipe(Effect.provide(service(scriptedMailServer([])))),
  );
});

it.effect(
  "refuses a password for an account that signs in with tokens, counts it, and sends it nowhere [S11.3-25] [S11.3-26]",
  () => {
    const asked: Array<string> = [];
    return Effect.gen(function* () {
      yield* (yield* AccountDirectory).insert({
        ...newAccount(ME, 0),
        authKind: "oauth2",
        provider: "corp",
        managed: true,
      });
      assert.strictEqual((yield* Effect.flip(signIn("right")))._tag, "LoginRefused");
      assert.deepStrictEqual(asked, []);
      assert.lengthOf((yield* history).attempts, 1);
      assert.isFalse(yield* hasCredential);
    }).pipe(Effect.provide(service(scriptedMailServer(asked))));
  },
);

describe("signing in where accounts have their own servers", () => {
  const anyServers = (signInDomains: ReadonlyArray<string>) =>
    Layer.succeed(AccountSettings, { mode: "any" as const, servers: null, domains: [], signInDomains });

  it.effect(
    "sends nothing to a mail server for an address without an account, and answers after ten seconds [S10.4-2] [S10.4-3]",
    () => {
      const asked: Array<string> = [];
      return Effect.gen(function* () {
        const refused = yield* Effect.forkChild(Effect.flip(signIn("right")));
        yield* TestClock.adjust("9999 millis");
        assert.isUndefined(refused.pollUnsafe());
        yield* TestClock.adjust("1 millis");
        assert.strictEqual((yield* Fiber.join(refused))._tag, "LoginRefused");
        assert.deepStrictEqual(asked, []);
        assert.lengthOf((yield* history).attempts, 1, "it counts");
      }).pipe(Effect.provide(service(scriptedMailServer(asked), anyServers(["example.org"]))));
    },
  );

  it.effect("discovers the servers of an admitted domain, and stores them with the account [S10.3-23]", () =>
    Effect.gen(function* () {
      yield* signIn("right");
      const account = Option.getOrThrow(yield* (yield* AccountDirectory).find(ME));
      assert.isFalse(account.managed);
      assert.strictEqual(account.servers?.imap.origin, "account");
    }).pipe(Effect.provide(service(scriptedMailServer([]), anyServers(["postern.test"])))),
  );

  it.effect.each(["wrong", "down"])(
    "answers after ten seconds, in one way per kind of fault (%s) [S10.3-17] [S10.4-3]",
    (password) =>
      Effect.gen(function* () {
        const failed = yield* Effect.forkChild(Effect.flip(signIn(password)));
        yield* TestClock.adjust("9999 millis");
        assert.isUndefined(failed.pollUnsafe());
        yield* TestClock.adjust("1 millis");
        const error = yield* Fiber.join(failed);
        assert.strictEqual(error._tag, password === "wrong" ? "LoginRefused" : "MailServerError");
        assert.notInclude(JSON.stringify(error), "down");
      }).pipe(Effect.provide(service(scriptedMailServer([]), anyServers(["*"])))),
  );

  it.effect("gives up on a server that does not answer within ten seconds", () =>
    Effect.gen(function* () {
      const failed = yield* Effect.forkChild(Effect.flip(signIn("right")));
      yield* TestClock.adjust("10 seconds");
      assert.strictEqual((yield* Fiber.join(failed))._tag, "MailServerError");
    }).pipe(Effect.provide(service(scriptedMailServer([], Effect.never), anyServers(["*"])))),
  );
});
