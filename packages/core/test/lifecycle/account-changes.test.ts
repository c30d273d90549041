import { assert, describe, it } from "@effect/vitest";
import { Effect, Layer, Redacted } from "effect";
import { TestClock } from "effect/testing";
import type { Account } from "../../src/accounts/index.ts";
import type { KeyReach } from "../../src/auth/index.ts";
import { AccountChanges } from "../../src/lifecycle/AccountChanges.ts";
import type { AccountPatch } from "../../src/lifecycle/AccountPatch.ts";
import { newGrant } from "../../src/oauth/neighbours.ts";
import { accountsInMemory, at, ME, NOW, offered, PASSWORD, server } from "./accounts-in-memory.ts";

type World = ReturnType<typeof accountsInMemory>;

const using = <A, E>(world: World, body: (changes: AccountChanges["Service"]) => Effect.Effect<A, E>) =>
  Effect.andThen(
    TestClock.setTime(NOW),
    Effect.provide(Effect.flatMap(AccountChanges, body), Layer.provide(AccountChanges.layer, world.services)),
  );
const change = (
  world: World,
  patch: AccountPatch,
  reach: KeyReach | null = null,
  isWanted?: (account: Account) => boolean,
) => using(world, (changes) => changes.change(ME, patch, reach, isWanted));
const verify = (world: World) => using(world, (changes) => changes.verify(ME, null));

/** A world with an account, in the state that `over` says. */
const worldOf = (over: Partial<Account> = {}) => {
  const world = accountsInMemory();
  world.enter(over);
  return world;
};

/** The name of the error that an effect fails with, or "done". */
const told = <A, E extends { readonly _tag: string }>(effect: Effect.Effect<A, E>) =>
  Effect.match(effect, { onSuccess: () => "done", onFailure: ({ _tag }) => _tag });

const EVIL = at("evil.test");
const WRONG = Redacted.make("wrong");

describe("a change of an account", () => {
  it.effect("changes only the named fields, without asking its servers", () =>
    Effect.gen(function* () {
      const world = worldOf({ name: "Old", tags: ["x"], pausedAt: NOW - 1 });
      const before = world.state.accounts.get(ME)!;
      assert.deepStrictEqual(yield* change(world, { name: "New" }), { ...before, name: "New" });
      assert.deepStrictEqual(yield* change(world, { tags: ["b", "a", "a"] }), {
        ...before,
        name: "New",
        tags: ["a", "b"],
      });
      assert.deepStrictEqual(yield* change(world, { name: null }), { ...before, name: null, tags: ["a", "b"] });
      assert.deepStrictEqual([world.state.shown, world.state.did], [[], []]);
    }),
  );

  it.effect("is refused if the account has another version, at the start or when the change is stored", () =>
    Effect.gen(function* () {
      const world = worldOf();
      assert.strictEqual(yield* told(change(world, { name: "a" }, null, () => false)), "AccountChanged");
      let looks = 0;
      const changedMeanwhile = () => ++looks === 1;
      assert.strictEqual(yield* told(change(world, { name: "a" }, null, changedMeanwhile)), "AccountChanged");
      assert.isNull(world.state.accounts.get(ME)?.name);
    }),
  );

  it.effect("must be within the reach of the key before and after the change [S10.2-21]", () =>
    Effect.gen(function* () {
      const tell = (tags: ReadonlyArray<string>, patch: AccountPatch) =>
        told(change(worldOf({ tags }), patch, ["tag:a"]));
      assert.strictEqual(yield* tell(["a"], { name: "n" }), "done");
      assert.strictEqual(yield* tell(["a"], { tags: ["a", "b"] }), "done");
      assert.strictEqual(yield* tell(["a"], { tags: ["b"] }), "OutsideReach");
      assert.strictEqual(yield* tell(["b"], { tags: ["a"] }), "AccountNotFound");
    }),
  );

  it.effect("is refused if the account leaves the reach of the key while its servers are asked [S10.2-21]", () =>
    Effect.gen(function* () {
      const world = worldOf({ tags: ["a"] });
      world.state.whileAsked = () => world.state.accounts.set(ME, { ...world.state.accounts.get(ME)!, tags: ["b"] });
      assert.strictEqual(yield* told(change(world, { password: PASSWORD }, ["tag:a"])), "AccountNotFound");
      assert.strictEqual(world.state.vault.get(ME)?.version, 1);
    }),
  );

  it.effect("pauses the account and ends its watch, or resumes it with the mail that waited [S10.3-27]", () =>
    Effect.gen(function* () {
      const world = worldOf();
      assert.strictEqual((yield* change(world, { paused: true })).pausedAt, NOW);
      assert.deepStrictEqual(world.state.did.splice(0), ["watch erased"]);
      assert.isNull((yield* change(world, { paused: false })).pausedAt);
      assert.deepStrictEqual(world.state.did, [`mail of ${ME} resumed`, "watched for 60000"]);
    }),
  );

  it.effect(
    "of the tags begins a watch where an application's endpoint reaches the account now, unless it is paused",
    () =>
      Effect.gen(function* () {
        const begun = (patch: AccountPatch, isReached: boolean, pausedAt: number | null = null) => {
          const world = worldOf({ pausedAt });
          world.state.isReached = isReached;
          return Effect.as(change(world, patch), world.state.did.includes("watch begun")).pipe(
            Effect.map(() => world.state.did.includes("watch begun")),
          );
        };
        assert.isTrue(yield* begun({ tags: ["a"] }, true));
        assert.isTrue(yield* begun({ password: PASSWORD }, true));
        assert.isFalse(yield* begun({ tags: ["a"] }, false));
        assert.isFalse(yield* begun({ tags: ["a"] }, true, NOW - 1));
        assert.isFalse(yield* begun({ name: "a" }, true));
      }),
  );
});

describe("a new password", () => {
  it.effect("is stored once the account's servers accept it, and the account recovers [S10.3-2]", () =>
    Effect.gen(function* () {
      const world = worldOf({ refusedAt: NOW - 9, authKind: "oauth2", provider: "corp" });
      const changed = yield* change(world, { password: PASSWORD });
      assert.deepInclude(changed, { authKind: "password", provider: null, lastSeenAt: NOW, capabilities: ["IDLE"] });
      assert.deepInclude(world.state.vault.get(ME), { version: 2, password: PASSWORD, username: ME });
      assert.deepStrictEqual(world.state.shown, ["imap own.test right", "smtp own.test right"]);
      assert.deepStrictEqual(world.state.did, [`mail of ${ME} resumed`, `account.recovered ${ME}`]);
    }),
  );

  it.effect("is not stored if they refuse it; the error says why", () =>
    Effect.gen(function* () {
      const world = worldOf();
      world.state.answers.set("imap own.test", { _tag: "Failed", cause: "auth_refused", isUnclear: true });
      const refusal = yield* Effect.flip(change(world, { password: WRONG, name: "n" }));
      assert.deepInclude(JSON.parse(JSON.stringify(refusal)), {
        _tag: "AccountUnverified",
        imap: { host: "own.test", port: 993, cause: "auth_refused" },
        isUnclear: true,
      });
      assert.strictEqual(world.state.vault.get(ME)?.version, 1);
      assert.isNull(world.state.accounts.get(ME)?.name);
    }),
  );

  it.effect("may come with other servers, to which the account moves [S10.3-26]", () =>
    Effect.gen(function* () {
      const world = worldOf();
      world.state.watched.add(ME);
      const changed = yield* change(world, { password: PASSWORD, servers: EVIL });
      assert.deepStrictEqual(changed.servers, EVIL);
      assert.isDefined(changed.generation);
      assert.deepStrictEqual(world.state.did, [
        "folders erased",
        "removals erased",
        "moves erased",
        "reports erased",
        "inbox moves to 10",
        "other folders end",
        `account.servers_changed ${ME} evil.test 465`,
        "watch erased",
        "watched for 60000",
        `mail of ${ME} resumed`,
      ]);
    }),
  );
});

describe("servers without a new credential", () => {
  it.effect("are those that accepted the stored one, perhaps under another user name [S10.3-18]", () =>
    Effect.gen(function* () {
      const world = worldOf();
      const servers = { imap: server("own.test", { username: "u" }), smtp: null };
      const changed = yield* change(world, { servers });
      assert.strictEqual(changed.servers?.imap.username, "u");
      assert.include(world.state.did, `accepted 1 of ${ME}`);
      assert.strictEqual(world.state.vault.get(ME)?.version, 1);
    }),
  );

  it.effect("get no credential if they differ from the account's servers [S10.3-18]", () =>
    Effect.gen(function* () {
      const world = worldOf();
      assert.strictEqual(yield* told(change(world, { servers: EVIL })), "CredentialRequired");
      assert.deepStrictEqual(world.state.shown, []);
    }),
  );

  it.effect("are not stored again if the account moved to other servers meanwhile", () =>
    Effect.gen(function* () {
      const world = worldOf();
      world.state.whileAsked = () => world.state.accounts.set(ME, { ...world.state.accounts.get(ME)!, servers: EVIL });
      const own = { imap: server("own.test", { username: "u" }), smtp: null };
      assert.strictEqual(yield* told(change(world, { servers: own })), "CredentialRequired");
    }),
  );

  it.effect("need a stored credential", () =>
    Effect.gen(function* () {
      const world = worldOf();
      world.state.vault.delete(ME);
      assert.strictEqual(yield* told(change(world, { servers: at("own.test") })), "AccountNotFound");
      assert.strictEqual(yield* told(verify(world)), "AccountNotFound");
    }),
  );

  it.effect("are refused without asking them if the grant of the account has ended", () =>
    Effect.gen(function* () {
      const world = worldOf();
      world.state.vault.set(ME, { _tag: "Grant", username: ME, version: 3, rejectedAt: NOW });
      world.state.token = "wrong";
      assert.strictEqual(yield* told(change(world, { servers: at("own.test") })), "AccountUnverified");
      assert.deepStrictEqual(world.state.shown, ["imap own.test wrong"]);
    }),
  );
});

describe("a new grant", () => {
  it.effect("is shown to the servers of its app, and kept under the user name of the account [S11.2-10]", () =>
    Effect.gen(function* () {
      const world = worldOf();
      const changed = yield* change(world, { grant: offered() });
      assert.deepInclude(changed, { authKind: "oauth2", provider: "corp" });
      assert.deepStrictEqual(world.state.shown, ["imap app.test right", "smtp app.test right"]);
      assert.deepInclude(world.state.grants.get(ME), { username: ME, app: "corp" });
    }),
  );

  it.effect("is not shown to servers other than its app's, nor accepted from another user [S11.2-6] [S11.2-9]", () =>
    Effect.gen(function* () {
      const world = worldOf();
      assert.strictEqual(yield* told(change(world, { grant: offered(), servers: EVIL })), "GrantInvalid");
      world.state.grants.set(ME, newGrant(ME, ME, offered("1")));
      assert.strictEqual(yield* told(change(world, { grant: offered("2") })), "OtherIdentity");
      assert.deepStrictEqual(world.state.shown, []);
    }),
  );
});

describe("the verification of an account", () => {
  it.effect("reports the answers of its servers, and records that they answered [S10.3-3]", () =>
    Effect.gen(function* () {
      const world = worldOf();
      const { account, verification } = yield* verify(world);
      assert.strictEqual(account.lastSeenAt, NOW);
      assert.deepInclude(verification, {
        imap: { host: "own.test", port: 993, cause: null },
        smtp: { host: "own.test", port: 465, cause: null },
        capabilities: ["IDLE"],
        isUnclear: false,
      });
      assert.deepStrictEqual(world.state.did, []);
    }),
  );

  it.effect("accepts a refused credential again, and resumes its mail", () =>
    Effect.gen(function* () {
      const world = worldOf({ refusedAt: NOW - 9 });
      yield* verify(world);
      assert.deepStrictEqual(world.state.did, [
        `accepted 1 of ${ME}`,
        `mail of ${ME} resumed`,
        `account.recovered ${ME}`,
      ]);
      const half = worldOf({ refusedAt: NOW - 9 });
      half.state.answers.set("smtp own.test", { _tag: "Failed", cause: "timeout" });
      yield* verify(half);
      assert.include(half.state.did, `accepted 1 of ${ME}`);
    }),
  );

  it.effect("reports no recovery that another verification reported at the same moment", () =>
    Effect.gen(function* () {
      const world = worldOf({ refusedAt: NOW - 9 });
      world.state.isAcceptedAlready = true;
      yield* verify(world);
      assert.deepStrictEqual(world.state.did, [`accepted 1 of ${ME}`]);
    }),
  );

  it.effect("rejects a credential that is refused with a reason, and reports it [S10.3-7]", () =>
    Effect.gen(function* () {
      const world = worldOf();
      world.state.answers.set("imap own.test", { _tag: "Failed", cause: "app_password_required" });
      const { account } = yield* verify(world);
      assert.strictEqual(account.refusedCause, "app_password_required");
      assert.deepStrictEqual(world.state.did, [`rejected 1 of ${ME}`, `refusal of ${ME} reported`]);
    }),
  );

  it.effect(
    "rejects a credential that is refused without a reason only at the second refusal, a minute later [S10.3-8]",
    () =>
      Effect.gen(function* () {
        const unclear = { _tag: "Failed", cause: "auth_refused", isUnclear: true } as const;
        const world = worldOf();
        world.state.answers.set("imap own.test", unclear);
        const { account } = yield* verify(world);
        assert.deepStrictEqual(account.unreachable, { cause: "sign_in_unclear", since: NOW });
        assert.deepStrictEqual(world.state.did, []);
        world.state.accounts.set(ME, { ...account, unreachable: { cause: "sign_in_unclear", since: NOW - 60_000 } });
        yield* verify(world);
        assert.deepStrictEqual(world.state.did, [`rejected 1 of ${ME}`, `refusal of ${ME} reported`]);
        const refused = worldOf({ refusedAt: NOW - 1 });
        refused.state.answers.set("imap own.test", unclear);
        yield* verify(refused);
        assert.deepStrictEqual(refused.state.did, [`rejected 1 of ${ME}`, `refusal of ${ME} reported`]);
      }),
  );

  it.effect("blames no credential for an outage, nor for an SMTP server's refusal", () =>
    Effect.gen(function* () {
      for (const [host, cause] of [
        ["imap own.test", "timeout"],
        ["smtp own.test", "auth_refused"],
      ] as const) {
        const world = worldOf({ refusedAt: null });
        world.state.answers.set(host, { _tag: "Failed", cause });
        yield* verify(world);
        assert.deepStrictEqual(world.state.did, [], host);
      }
    }),
  );

  it.effect("records no answer of servers from which the account has moved meanwhile [S10.3-21]", () =>
    Effect.gen(function* () {
      for (const cause of ["timeout", "auth_refused"] as const) {
        const world = worldOf();
        world.state.answers.set("imap own.test", { _tag: "Failed", cause });
        const moved = { ...world.state.accounts.get(ME)!, servers: at("new.test") };
        world.state.whileAsked = () => world.state.accounts.set(ME, moved);
        const { account, verification } = yield* verify(world);
        assert.deepStrictEqual([account, world.state.did], [moved, []]);
        assert.deepInclude(verification.imap, { host: "own.test", cause });
      }
    }),
  );

  it.effect("replaces a refused token once, because it may have just expired [S11.4-12]", () =>
    Effect.gen(function* () {
      for (const renews of [true, false]) {
        const world = worldOf();
        world.state.vault.set(ME, { _tag: "Grant", username: ME, version: 3, rejectedAt: null });
        Object.assign(world.state, { token: "old", renews });
        const { verification } = yield* verify(world);
        assert.strictEqual(verification.imap.cause, renews ? null : "auth_refused");
        assert.deepStrictEqual(
          world.state.shown,
          renews ? ["imap own.test old", "imap own.test right", "smtp own.test right"] : ["imap own.test old"],
        );
      }
    }),
  );

  it.effect("replaces no token for an outage", () =>
    Effect.gen(function* () {
      const world = worldOf();
      world.state.vault.set(ME, { _tag: "Grant", username: ME, version: 3, rejectedAt: null });
      world.state.answers.set("imap own.test", { _tag: "Failed", cause: "timeout" });
      world.state.renews = true;
      yield* verify(world);
      assert.deepStrictEqual(world.state.shown, ["imap own.test right", "smtp own.test right"]);
    }),
  );
});
