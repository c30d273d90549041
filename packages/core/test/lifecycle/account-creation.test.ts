import { assert, describe, it } from "@effect/vitest";
import { Effect, Fiber, Layer, Redacted } from "effect";
import { TestClock } from "effect/testing";
import { newAccount } from "../../src/accounts/index.ts";
import type { KeyReach } from "../../src/auth/index.ts";
import { AccountCreation } from "../../src/lifecycle/AccountCreation.ts";
import { AccountRemoval } from "../../src/lifecycle/AccountRemoval.ts";
import type { NewAccount } from "../../src/lifecycle/NewAccount.ts";
import { newGrant } from "../../src/oauth/neighbours.ts";
import { AccountId } from "../../src/shared/index.ts";
import { accountsInMemory, at, ME, NOW, offered, PASSWORD, server } from "./accounts-in-memory.ts";

const REQUEST: NewAccount = {
  email: "Me@x.test",
  name: "Me",
  imap: null,
  smtp: null,
  secret: { _tag: "Password", password: PASSWORD },
  tags: ["b", "a", "b"],
};

const layerOf = ({ services }: ReturnType<typeof accountsInMemory>) =>
  AccountCreation.layer.pipe(Layer.provide(AccountRemoval.layer), Layer.provide(services));

const create = (
  world: ReturnType<typeof accountsInMemory>,
  over: Partial<NewAccount> = {},
  reach: KeyReach | null = null,
  key?: { readonly caller: string; readonly key: string },
) =>
  Effect.andThen(
    TestClock.setTime(NOW),
    Effect.provide(
      Effect.flatMap(AccountCreation, (accounts) => accounts.create({ ...REQUEST, ...over }, reach, key)),
      layerOf(world),
    ),
  );

/** The name of the error that an effect fails with, or "done". */
const told = <A, E extends { readonly _tag: string }>(effect: Effect.Effect<A, E>) =>
  Effect.match(effect, { onSuccess: () => "done", onFailure: ({ _tag }) => _tag });

describe("a new account", () => {
  it.effect(
    "is stored with its servers' capabilities, its credential and a cursor to begin at, and announced [S10.3-1]",
    () =>
      Effect.gen(function* () {
        const world = accountsInMemory();
        const made = yield* create(world);
        assert.deepStrictEqual(made, {
          ...newAccount(ME, NOW),
          name: "Me",
          managed: true,
          servers: at("found.test"),
          capabilities: ["IDLE"],
          tags: ["a", "b"],
          lastSeenAt: NOW,
          generation: made.generation!,
        });
        assert.isDefined(made.generation);
        assert.deepStrictEqual(world.state.accounts.get(ME), made);
        assert.deepInclude(world.state.vault.get(ME), { _tag: "Password", username: "Me@x.test", password: PASSWORD });
        assert.deepStrictEqual(world.state.did, [
          `created ${ME}`,
          "inbox begins at 10",
          `mail of ${ME} resumed`,
          `account.added ${ME}`,
        ]);
      }),
  );

  it.effect("is watched from the present on where an application's endpoint reaches it", () =>
    Effect.gen(function* () {
      const world = accountsInMemory();
      world.state.isReached = true;
      yield* create(world);
      assert.deepStrictEqual(world.state.did.slice(-2), ["watched for 60000", "inbox moves to 10"]);
      const other = accountsInMemory();
      other.state.isReached = true;
      other.state.watched.add(ME);
      yield* create(other);
      assert.deepStrictEqual(other.state.did.slice(-1), ["watched for 60000"]);
    }),
  );

  it.effect("on the deployment's servers has none of its own, and accepts none [S10.3-22]", () =>
    Effect.gen(function* () {
      const world = accountsInMemory();
      const made = yield* create(world, { email: "me@home.test" });
      assert.isNull(made.servers);
      const named = { imap: server("evil.test"), smtp: null };
      assert.strictEqual(yield* told(create(accountsInMemory(), { ...named, email: "me@home.test" })), "ServersFixed");
      assert.strictEqual(yield* told(create(accountsInMemory("fixed"), named)), "ServersFixed");
    }),
  );

  it.effect("lives on the first of three servers that accepts it, or on the given servers", () =>
    Effect.gen(function* () {
      const world = accountsInMemory();
      world.state.found = ["one.test", "two.test", "three.test"];
      for (const host of ["one.test", "smtp two.test"])
        world.state.answers.set(host, { _tag: "Failed", cause: "timeout" });
      assert.deepStrictEqual((yield* create(world)).servers, at("three.test"));
      const given = accountsInMemory();
      const servers = { imap: server("a.test"), smtp: server("b.test") };
      assert.deepStrictEqual((yield* create(given, servers)).servers, servers);
      assert.deepStrictEqual(given.state.shown, ["imap a.test right", "smtp b.test right"]);
    }),
  );

  it.effect("is not made if its servers refuse it; the error is the refusal of the most likely server", () =>
    Effect.gen(function* () {
      const world = accountsInMemory();
      world.state.found = ["one.test", "two.test"];
      world.state.answers.set("two.test", { _tag: "Failed", cause: "timeout" });
      world.state.answers.set("imap one.test", { _tag: "Failed", cause: "auth_refused", isUnclear: true });
      const refusal = yield* Effect.flip(create(world));
      assert.deepStrictEqual(JSON.parse(JSON.stringify(refusal)), {
        _tag: "AccountUnverified",
        imap: { host: "one.test", port: 993, cause: "auth_refused" },
        smtp: { host: "one.test", port: 465, cause: null },
        isUnclear: true,
      });
      assert.deepStrictEqual([world.state.accounts.size, world.state.vault.size, world.state.did], [0, 0, []]);
    }),
  );

  it.effect("needs an address, and exists once [S10.3-1]", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* told(create(accountsInMemory(), { email: "nobody" })), "AddressMalformed");
      const world = accountsInMemory();
      world.enter();
      assert.strictEqual(yield* told(create(world)), "AccountExists");
      assert.deepStrictEqual(world.state.shown, []);
    }),
  );

  it.effect("must be within the reach of the key before and after the change [S10.2-21]", () =>
    Effect.gen(function* () {
      const tell = (reach: KeyReach, tags: ReadonlyArray<string>, before?: ReadonlyArray<string>) => {
        const world = accountsInMemory();
        if (before !== undefined) world.enter({ managed: false, tags: before });
        return told(create(world, { tags }, reach));
      };
      assert.strictEqual(yield* tell(["tag:a"], ["a"]), "done");
      assert.strictEqual(yield* tell(["tag:a"], ["b"]), "OutsideReach");
      assert.strictEqual(yield* tell(["tag:a"], ["a"], ["b"]), "OutsideReach");
      assert.strictEqual(yield* tell(["tag:a"], ["b"], ["a"]), "OutsideReach");
      assert.strictEqual(yield* tell(["tag:a"], ["a"], ["a"]), "done");
    }),
  );

  it.effect("is returned to a repeated request if the key reaches it [S2.6-1]", () =>
    Effect.gen(function* () {
      const world = accountsInMemory();
      const account = world.enter({ tags: ["a"] });
      const key = { caller: "k", key: "1" };
      assert.deepStrictEqual(yield* create(world, {}, ["tag:a"], key), account);
      assert.isTrue((yield* Effect.exit(create(world, {}, ["tag:b"], key)))._tag === "Failure");
    }),
  );

  it.effect("waits ten seconds for the erasure of a removed account with its address [S10.3-31]", () =>
    Effect.gen(function* () {
      const world = accountsInMemory();
      world.state.removed.add(ME);
      world.state.erasing = Effect.never;
      const fiber = yield* Effect.forkChild(told(create(world)));
      yield* Effect.repeat(Effect.yieldNow, { times: 100 });
      yield* TestClock.setTime(NOW + 9_999);
      assert.isUndefined(fiber.pollUnsafe());
      yield* TestClock.setTime(NOW + 10_000);
      assert.strictEqual(yield* Fiber.join(fiber), "AccountBeingRemoved");
    }),
  );

  it.effect("fails if its address is removed while it is being stored [S10.3-31]", () =>
    Effect.gen(function* () {
      const world = accountsInMemory();
      world.state.whileStored = () => world.state.removed.add(ME);
      assert.strictEqual(yield* told(create(world)), "AccountBeingRemoved");
      assert.strictEqual(world.state.vault.size, 0);
    }),
  );
});

describe("an account that a sign-in made", () => {
  it.effect("is managed from then on, keeps its name if the request has none, and moves to the request's servers", () =>
    Effect.gen(function* () {
      const world = accountsInMemory();
      world.enter({ managed: false, name: "Old", refusedAt: NOW - 5, servers: at("own.test") });
      const made = yield* create(world, { name: null, ...at("new.test") });
      assert.deepInclude(made, { name: "Old", managed: true, servers: at("new.test"), createdAt: NOW - 1 });
      assert.deepStrictEqual(world.state.did, [
        `created ${ME}`,
        "folders erased",
        "removals erased",
        "moves erased",
        "reports erased",
        "inbox moves to 10",
        "other folders end",
        `account.servers_changed ${ME} new.test 465`,
        `mail of ${ME} resumed`,
        `account.recovered ${ME}`,
        `account.added ${ME}`,
      ]);
    }),
  );

  it.effect("recovers only if its credential is still refused when it is stored [S7.3-1]", () =>
    Effect.gen(function* () {
      for (const [before, meanwhile] of [
        [NOW - 5, null],
        [null, NOW - 1],
      ] as const) {
        const world = accountsInMemory();
        const known = world.enter({ managed: false, refusedAt: before });
        world.state.whileAsked = () => world.state.accounts.set(ME, { ...known, refusedAt: meanwhile });
        yield* create(world);
        assert.strictEqual(world.state.did.includes(`account.recovered ${ME}`), meanwhile !== null);
      }
    }),
  );

  it.effect("keeps the state of its mailboxes if its servers stay, and is verified at them first", () =>
    Effect.gen(function* () {
      const world = accountsInMemory();
      world.enter({ managed: false });
      assert.deepStrictEqual((yield* create(world)).servers, at("own.test"));
      assert.deepStrictEqual(world.state.did, [`created ${ME}`, `mail of ${ME} resumed`, `account.added ${ME}`]);
    }),
  );
});

describe("an account that signs in by a grant", () => {
  const grant = (over: object = {}) => ({
    _tag: "Named" as const,
    grant: { app: "corp", refreshToken: Redacted.make("refresh"), ...over } as never,
  });

  it.effect("is shown to the servers of its app alone, and keeps the grant [S11.2-7]", () =>
    Effect.gen(function* () {
      for (const secret of [grant(), { _tag: "Offered" as const, grant: offered() }]) {
        const world = accountsInMemory();
        const made = yield* create(world, { secret });
        assert.deepInclude(made, { authKind: "oauth2", provider: "corp" });
        assert.deepStrictEqual(world.state.shown, ["imap app.test right", "smtp app.test right"]);
        assert.deepInclude(world.state.grants.get(ME), { username: "Me@x.test", app: "corp" });
      }
    }),
  );

  it.effect("is not made at servers other than the app's [S11.2-9]", () =>
    Effect.gen(function* () {
      const world = accountsInMemory();
      assert.strictEqual(yield* told(create(world, { ...at("evil.test"), secret: grant() })), "GrantInvalid");
      assert.deepStrictEqual(world.state.shown, []);
    }),
  );

  it.effect("of a shared mailbox is shown to the servers of the owner, whom the key must reach [S11.2-8]", () =>
    Effect.gen(function* () {
      const owner = AccountId("owner@x.test");
      const world = accountsInMemory();
      world.enter({ servers: at("owners.test") }, owner);
      world.state.grants.set(owner, newGrant(owner, owner, offered()));
      const secret = grant({ delegateOf: owner });
      assert.strictEqual(yield* told(create(world, { secret }, [ME])), "AccountNotFound");
      const made = yield* create(world, { secret }, ["*@x.test"]);
      assert.deepStrictEqual(made.servers, at("owners.test"));
      assert.deepStrictEqual(world.state.shown, ["imap owners.test right", "smtp owners.test right"]);
      assert.strictEqual(world.state.grants.get(ME)?.delegateOf, owner);
    }),
  );

  it.effect("of a shared mailbox is shown to no server if those of the owner are not known [S11.2-8]", () =>
    Effect.gen(function* () {
      const owner = AccountId("owner@x.test");
      const world = accountsInMemory();
      world.enter({ servers: null }, owner);
      world.state.grants.set(owner, newGrant(owner, owner, offered()));
      assert.strictEqual(yield* told(create(world, { secret: grant({ delegateOf: owner }) })), "GrantInvalid");
      assert.deepStrictEqual(world.state.shown, []);
    }),
  );

  it.effect("is refused if its user at the provider is another than before [S11.2-6]", () =>
    Effect.gen(function* () {
      const world = accountsInMemory();
      yield* create(world, { secret: { _tag: "Offered", grant: offered("1") } });
      world.state.accounts.delete(ME);
      world.state.shown.splice(0);
      const other = create(world, { secret: { _tag: "Offered", grant: offered("2") } });
      assert.strictEqual(yield* told(other), "OtherIdentity");
      assert.deepStrictEqual(world.state.shown, []);
    }),
  );
});
