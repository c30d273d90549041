import { assert, describe, it } from "@effect/vitest";
import { Effect, Fiber, Layer, Redacted } from "effect";
import { TestClock } from "effect/testing";
import { newAccount } from "../../src/accounts/index.ts";
import { LoginRefused, PasswordRefused } from "../../src/auth/index.ts";
import { AccountRemoval } from "../../src/lifecycle/AccountRemoval.ts";
import { SignIn } from "../../src/lifecycle/SignIn.ts";
import { MailServerError } from "../../src/mail/index.ts";
import { newGrant } from "../../src/oauth/neighbours.ts";
import { AccountId } from "../../src/shared/index.ts";
import { accountsInMemory, APP, at, ME, NOW, offered, PASSWORD, PRESENT } from "./accounts-in-memory.ts";

type World = ReturnType<typeof accountsInMemory>;

const DAY = 24 * 3600 * 1000;
const HOME = "me@home.test";
const NEW = "me@new.test";
const WRONG = Redacted.make("wrong");
const CLIENT = { network: "192.0.2.1", userAgent: "test" };

const using = <A, E>(world: World, body: (signIn: SignIn["Service"]) => Effect.Effect<A, E>) =>
  Effect.andThen(
    TestClock.setTime(NOW),
    Effect.provide(
      Effect.flatMap(SignIn, body),
      SignIn.layer.pipe(Layer.provide(AccountRemoval.layer), Layer.provide(world.services)),
    ),
  );
const withPassword = (world: World, email: string, password = PASSWORD) =>
  using(world, (signIn) => signIn.withPassword(email, password, CLIENT));
const withGrant = (world: World, email: string, grant = offered()) =>
  using(world, (signIn) => signIn.withGrant(email, grant, CLIENT));

/** Returns the answer to a sign-in, and after how many milliseconds it came. */
const answered = <A, E extends { readonly _tag: string }>(signIn: Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(
      Effect.match(signIn, {
        onSuccess: () => "in",
        onFailure: (error) => ("reason" in error ? `${error._tag} ${error.reason}` : error._tag),
      }),
    );
    for (let after = 0; after <= 20_000; after += 5_000) {
      yield* Effect.repeat(Effect.yieldNow, { times: 100 });
      if (fiber.pollUnsafe() !== undefined) return [yield* Fiber.join(fiber), after] as const;
      yield* TestClock.adjust("5 seconds");
    }
    return ["no answer", Infinity] as const;
  });

const REFUSED = new PasswordRefused({ reason: "oauth_required" });
const OUTAGE = new MailServerError({ reason: "timeout", operation: "login", detail: "slow" });

describe("a sign-in on the deployment's server", () => {
  it.effect("returns a pair of tokens, and stores the credential, a baseline and the session [S3.2-1] [S3.2-5]", () =>
    Effect.gen(function* () {
      const world = accountsInMemory();
      const pair = yield* withPassword(world, "Me@home.test");
      const [session] = world.state.sessions;
      assert.deepStrictEqual(pair, {
        token: `access of ${session?.id} for ${3_600_000}`,
        refreshToken: `refresh of ${session?.id} for ${30 * DAY}`,
        expiresIn: 3600,
      });
      assert.deepInclude(session, { kind: "bearer", account: AccountId(HOME), client: CLIENT });
      assert.deepStrictEqual(world.state.accounts.get(AccountId(HOME)), {
        ...newAccount(AccountId(HOME), NOW),
        lastSeenAt: NOW,
      });
      assert.deepInclude(world.state.vault.get(AccountId(HOME)), { username: "Me@home.test", password: PASSWORD });
      assert.deepStrictEqual(world.state.did, [
        `attempt on ${HOME} from 192.0.2.1`,
        "inbox begins at 10",
        `mail of ${HOME} resumed`,
      ]);
      assert.deepStrictEqual(world.state.shown, ["sign-in of the deployment right"]);
    }),
  );

  it.effect("starts a browser's session, whose secret is stored as a hash [S3.5-2]", () =>
    Effect.gen(function* () {
      const world = accountsInMemory();
      const { cookie, session } = yield* using(world, (signIn) => signIn.forBrowser(HOME, PASSWORD, CLIENT));
      assert.deepInclude(session, { kind: "cookie", cookieHash: `hash of ${cookie}`, account: AccountId(HOME) });
      assert.deepStrictEqual(world.state.sessions, [session]);
    }),
  );

  it.effect("is refused at once, with the reason that the server names, and stores nothing [S3.2-3]", () =>
    Effect.gen(function* () {
      const world = accountsInMemory();
      assert.deepStrictEqual(yield* answered(withPassword(world, HOME, WRONG)), ["LoginRefused", 0]);
      world.state.signIn = Effect.fail(REFUSED);
      assert.deepStrictEqual(yield* answered(withPassword(world, HOME)), ["PasswordRefused oauth_required", 0]);
      world.state.signIn = Effect.fail(OUTAGE);
      assert.deepStrictEqual(yield* answered(withPassword(world, HOME)), ["MailServerError timeout", 0]);
      assert.deepStrictEqual([world.state.accounts.size, world.state.vault.size, world.state.sessions], [0, 0, []]);
    }),
  );

  it.effect("of an account that signs in with tokens is refused, and the server sees no password [S11.3-25]", () =>
    Effect.gen(function* () {
      for (const [authKind, expected] of [
        ["oauth2", "LoginRefused"],
        ["application", "LoginRefused"],
        ["password", "in"],
      ] as const) {
        const world = accountsInMemory();
        world.enter({ authKind, servers: null }, AccountId(HOME));
        assert.deepStrictEqual(yield* answered(withPassword(world, HOME)), [expected, 0]);
        assert.strictEqual(world.state.shown.length, expected === "in" ? 1 : 0);
        // The sign-in counts as an attempt with a wrong password.
        assert.include(world.state.did, `attempt on ${HOME} from 192.0.2.1`);
      }
    }),
  );

  it.effect("of an account that a consent gave a grant meanwhile is refused, and the grant stays [S11.3-26]", () =>
    Effect.gen(function* () {
      const world = accountsInMemory();
      const home = AccountId(HOME);
      const grant = { _tag: "Grant", username: HOME, version: 1, rejectedAt: null } as const;
      world.enter({ servers: null }, home);
      world.state.signIn = Effect.sync(() => {
        world.enter({ authKind: "oauth2", provider: "corp", servers: null }, home);
        world.state.vault.set(home, grant);
        return PRESENT;
      });
      assert.deepStrictEqual(yield* answered(withPassword(world, HOME)), ["LoginRefused", 0]);
      assert.deepStrictEqual([world.state.vault.get(home), world.state.sessions], [grant, []]);
    }),
  );

  it.effect("is stored after the erasure of an account that was removed while it was being stored [S10.3-31]", () =>
    Effect.gen(function* () {
      const world = accountsInMemory();
      const removals = [AccountId(HOME)];
      world.state.whileStored = () => removals.splice(0).forEach((account) => world.state.removed.add(account));
      yield* withPassword(world, HOME);
      assert.deepStrictEqual(world.state.did, [
        `attempt on ${HOME} from 192.0.2.1`,
        `${HOME} erased`,
        "inbox begins at 10",
        `mail of ${HOME} resumed`,
      ]);
      assert.strictEqual(world.state.sessions.length, 1);
    }),
  );

  it.effect("reports the recovery of a refused account [S10.3-10]", () =>
    Effect.gen(function* () {
      for (const refusedAt of [NOW - 1, null]) {
        const world = accountsInMemory();
        world.enter({ refusedAt, servers: null }, AccountId(HOME));
        yield* withPassword(world, HOME);
        assert.strictEqual(world.state.did.includes(`account.recovered ${HOME}`), refusedAt !== null);
      }
    }),
  );

  it.effect("needs an address", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* answered(withPassword(accountsInMemory(), "nobody")), ["AddressMalformed", 0]);
      assert.deepStrictEqual(yield* answered(withGrant(accountsInMemory(), "nobody")), ["AddressMalformed", 0]);
    }),
  );
});

describe("a sign-in elsewhere", () => {
  it.effect("of an account is verified at the account's own servers, which do not change", () =>
    Effect.gen(function* () {
      const world = accountsInMemory();
      world.enter();
      yield* withPassword(world, ME);
      assert.deepStrictEqual(world.state.shown, ["sign-in own.test right"]);
      assert.deepStrictEqual(world.state.accounts.get(ME)?.servers, at("own.test"));
    }),
  );

  it.effect("stores nothing that only servers accepted from which the account moved meanwhile [S10.3-18]", () =>
    Effect.gen(function* () {
      for (const signIn of [withPassword, withGrant]) {
        const world = accountsInMemory();
        const tried: Effect.Effect<unknown, { readonly _tag: string }> = signIn(world, ME);
        const before = { authKind: signIn === withGrant ? "oauth2" : "password", provider: "corp" } as const;
        world.enter(before);
        world.state.signIn = Effect.sync(() => (world.enter({ ...before, servers: at("new.test") }), PRESENT));
        assert.deepStrictEqual(yield* answered(tried), ["LoginRefused", 0]);
        assert.deepStrictEqual(world.state.shown, ["sign-in own.test right"]);
        assert.deepInclude(world.state.vault.get(ME), { _tag: "Password", version: 1 });
        assert.deepStrictEqual([world.state.grants.size, world.state.sessions], [0, []]);
      }
    }),
  );

  it.effect(
    "without an account is shown to discovered servers if SIGN_IN_DOMAINS allows it, and the account keeps them",
    () =>
      Effect.gen(function* () {
        const world = accountsInMemory();
        yield* withPassword(world, NEW);
        assert.deepStrictEqual(world.state.shown, ["sign-in found.test right"]);
        assert.deepStrictEqual(world.state.accounts.get(AccountId(NEW))?.servers, at("found.test"));
        const stranger = accountsInMemory();
        assert.deepStrictEqual(yield* answered(withPassword(stranger, "you@y.test")), ["LoginRefused", 10_000]);
        assert.deepStrictEqual(stranger.state.shown, []);
      }),
  );

  it.effect(
    "is answered after ten seconds with one of two errors if it fails, and at once if it succeeds [S10.3-17]",
    () =>
      Effect.gen(function* () {
        const world = accountsInMemory();
        assert.deepStrictEqual(yield* answered(withPassword(world, NEW)), ["in", 0]);
        for (const [signIn, expected] of [
          [Effect.fail(new LoginRefused()), "LoginRefused"],
          [Effect.fail(REFUSED), "LoginRefused"],
          [Effect.fail(OUTAGE), "MailServerError unreachable"],
          [Effect.never, "MailServerError unreachable"],
          [Effect.andThen(Effect.sleep("4 seconds"), Effect.fail(new LoginRefused())), "LoginRefused"],
        ] as const) {
          world.state.signIn = signIn;
          assert.deepStrictEqual(yield* answered(withPassword(world, NEW)), [expected, 10_000]);
        }
      }),
  );
});

describe("a sign-in by a consent", () => {
  it.effect("is shown to the servers of its app, and opens a browser's session [S11.3-19]", () =>
    Effect.gen(function* () {
      const world = accountsInMemory();
      const { session } = yield* withGrant(world, NEW);
      assert.deepStrictEqual(world.state.shown, ["sign-in app.test right"]);
      assert.deepInclude(session, { kind: "cookie", account: AccountId(NEW) });
      assert.deepInclude(world.state.accounts.get(AccountId(NEW)), {
        authKind: "oauth2",
        provider: "corp",
        servers: APP.servers,
      });
      assert.deepInclude(world.state.grants.get(AccountId(NEW)), { username: NEW, app: "corp" });
    }),
  );

  it.effect("is shown only to servers where tokens of the app already open the account", () =>
    Effect.gen(function* () {
      const world = accountsInMemory();
      world.enter({ authKind: "oauth2", provider: "corp" });
      yield* withGrant(world, ME);
      assert.deepStrictEqual(world.state.shown, ["sign-in own.test right"]);
      const stranger = accountsInMemory();
      assert.deepStrictEqual(yield* answered(withGrant(stranger, "you@y.test")), ["LoginRefused", 10_000]);
      assert.deepStrictEqual(stranger.state.shown, []);
      const atHome = accountsInMemory();
      yield* withGrant(atHome, HOME);
      assert.deepStrictEqual(atHome.state.shown, ["sign-in of the deployment right"]);
      assert.isNull(atHome.state.accounts.get(AccountId(HOME))?.servers);
    }),
  );

  it.effect("of another user, or by an app that is for other domains, reaches no server [S11.1-11] [S11.2-6]", () =>
    Effect.gen(function* () {
      const world = accountsInMemory();
      world.enter();
      world.state.grants.set(ME, newGrant(ME, ME, offered("1")));
      assert.strictEqual((yield* Effect.flip(withGrant(world, ME, offered("2"))))._tag, "OtherIdentity");
      const elsewhere = { ...offered(), app: { ...APP, domains: ["y.test"] } };
      assert.strictEqual((yield* Effect.flip(withGrant(world, ME, elsewhere)))._tag, "GrantInvalid");
      assert.deepStrictEqual([world.state.shown, world.state.sessions], [[], []]);
    }),
  );

  it.effect("of another user than one who consented meanwhile changes nothing [S11.2-6]", () =>
    Effect.gen(function* () {
      const world = accountsInMemory();
      world.enter({ authKind: "oauth2", provider: "corp" });
      const other = newGrant(ME, ME, offered("1"));
      world.state.signIn = Effect.sync(() => (world.state.grants.set(ME, other), PRESENT));
      assert.deepStrictEqual(yield* answered(withGrant(world, ME, offered("2"))), ["OtherIdentity", 0]);
      assert.deepStrictEqual([world.state.grants.get(ME), world.state.sessions], [other, []]);
    }),
  );

  it.effect("is refused after ten seconds if the server refuses its token", () =>
    Effect.gen(function* () {
      const world = accountsInMemory();
      assert.deepStrictEqual(yield* answered(withGrant(world, NEW, offered("1", "wrong"))), ["LoginRefused", 10_000]);
    }),
  );

  it.effect("reactivates the refused shared mailboxes that its tokens open", () =>
    Effect.gen(function* () {
      const [shared, fine] = [AccountId("shared@x.test"), AccountId("fine@x.test")];
      const world = accountsInMemory();
      for (const [account, rejectedAt] of [
        [shared, NOW - 1],
        [fine, null],
      ] as const) {
        world.enter({ refusedAt: rejectedAt, refusedCause: "grant_revoked" }, account);
        world.state.vault.set(account, { _tag: "Grant", username: account, version: 1, rejectedAt });
        const grant = newGrant(account, account, { ...offered(), issued: null, delegateOf: ME });
        world.state.grants.set(account, { ...grant, state: "needs_reauth", fault: "grant_revoked" });
      }
      world.state.delegates = [shared, fine];
      yield* withGrant(world, NEW);
      assert.deepInclude(world.state.grants.get(shared), { state: "active", fault: null });
      assert.deepInclude(world.state.grants.get(fine), { state: "needs_reauth" });
      assert.deepInclude(world.state.accounts.get(shared), { refusedCause: null, lastSeenAt: NOW });
      assert.deepStrictEqual(
        world.state.did.filter((what) => what.includes("x.test")),
        [`mail of ${shared} resumed`, `account.recovered ${shared}`],
      );
    }),
  );
});
