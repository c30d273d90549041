import { assert, describe, it } from "@effect/vitest";
import { Effect, Fiber, Layer, Redacted } from "effect";
import { TestClock } from "effect/testing";
import { AccountChanges } from "../../src/lifecycle/AccountChanges.ts";
import { AccountConnection } from "../../src/lifecycle/AccountConnection.ts";
import { AccountCreation } from "../../src/lifecycle/AccountCreation.ts";
import { AccountRemoval } from "../../src/lifecycle/AccountRemoval.ts";
import { LinkExpired } from "../../src/oauth/index.ts";
import type { ConnectRequest } from "../../src/oauth/neighbours.ts";
import { accountsInMemory, ME, NOW, offered, PASSWORD } from "./accounts-in-memory.ts";

type World = ReturnType<typeof accountsInMemory>;

const REQUEST: ConnectRequest = { address: null, app: null, tags: null, reach: null };
const WRONG = Redacted.make("wrong");

const using = <A, E>(world: World, body: (connection: AccountConnection["Service"]) => Effect.Effect<A, E>) =>
  Effect.andThen(
    TestClock.setTime(NOW),
    Effect.provide(
      Effect.flatMap(AccountConnection, body),
      AccountConnection.layer.pipe(
        Layer.provide(Layer.merge(AccountCreation.layer, AccountChanges.layer)),
        Layer.provide(AccountRemoval.layer),
        Layer.provide(world.services),
      ),
    ),
  );
const byPassword = (world: World, password = PASSWORD, request = REQUEST, email = "me@x.test") =>
  using(world, (connection) => connection.byPassword(request, email, password, "192.0.2.1", Effect.void));
const byGrant = (world: World, request = REQUEST, email = "me@x.test") =>
  using(world, (connection) => connection.byGrant(request, email, offered(), Effect.void));

/** Returns the answer to a connection, and after how many milliseconds it came. */
const answered = <A, E extends { readonly _tag: string }>(connection: Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(
      Effect.match(connection, { onSuccess: () => "connected", onFailure: ({ _tag }) => _tag }),
    );
    for (let after = 0; after <= 20_000; after += 5_000) {
      yield* Effect.repeat(Effect.yieldNow, { times: 100 });
      if (fiber.pollUnsafe() !== undefined) return [yield* Fiber.join(fiber), after] as const;
      yield* TestClock.adjust("5 seconds");
    }
    return ["no answer", Infinity] as const;
  });

describe("the account that a user connects", () => {
  it.effect("is made with the tags of the request, or with none", () =>
    Effect.gen(function* () {
      for (const tags of [["a"], null]) {
        const account = yield* byPassword(accountsInMemory(), PASSWORD, { ...REQUEST, tags });
        assert.deepInclude(account, { id: ME, name: null, managed: true, tags: tags ?? [], authKind: "password" });
      }
      const granted = yield* byGrant(accountsInMemory());
      assert.deepInclude(granted, { authKind: "oauth2", provider: "corp" });
    }),
  );

  it.effect("is not stored if its link has ended meanwhile, as in another browser [S11.3-1]", () =>
    Effect.gen(function* () {
      const ended = Effect.fail(new LinkExpired());
      for (const connect of [
        (connection: AccountConnection["Service"]) => connection.byGrant(REQUEST, ME, offered(), ended),
        (connection: AccountConnection["Service"]) => connection.byPassword(REQUEST, ME, PASSWORD, "192.0.2.1", ended),
      ]) {
        const fresh = accountsInMemory();
        assert.deepStrictEqual(yield* answered(using(fresh, connect)), ["LinkExpired", 10_000]);
        assert.strictEqual(fresh.state.accounts.size + fresh.state.vault.size, 0);
        const known = accountsInMemory();
        const before = known.enter();
        assert.deepStrictEqual(yield* answered(using(known, connect)), ["LinkExpired", 10_000]);
        assert.deepStrictEqual([known.state.accounts.get(ME), known.state.vault.get(ME)?.version], [before, 1]);
      }
    }),
  );

  it.effect("is recorded in the audit as made by the key of the link, or by the operator [S8.7-6]", () =>
    Effect.gen(function* () {
      for (const [more, by] of [
        [{ key: "k1" }, "k1"],
        [{}, "admin"],
      ] as const) {
        const world = accountsInMemory();
        yield* byPassword(world, PASSWORD, { ...REQUEST, ...more });
        yield* byGrant(world, { ...REQUEST, ...more });
        const recorded = world.state.did.filter((what) => what.startsWith("audit: "));
        assert.deepStrictEqual(recorded, [`audit: accounts.create by ${by}`, `audit: accounts.change by ${by}`]);
      }
    }),
  );

  it.effect("is reconnected if it exists, and keeps its tags unless the request has others [S11.3-11]", () =>
    Effect.gen(function* () {
      for (const tags of [["b"], null]) {
        const world = accountsInMemory();
        world.enter({ tags: ["a"], refusedAt: NOW - 1, name: "Me" });
        const account = yield* byPassword(world, PASSWORD, { ...REQUEST, tags });
        assert.deepInclude(account, { tags: tags ?? ["a"], name: "Me" });
        assert.include(world.state.did, `account.recovered ${ME}`);
        assert.notInclude(world.state.did, `account.added ${ME}`);
      }
    }),
  );

  it.effect("becomes managed, with its tags, if a sign-in made it", () =>
    Effect.gen(function* () {
      const world = accountsInMemory();
      world.enter({ managed: false, tags: ["a"] });
      assert.deepInclude(yield* byPassword(world), { managed: true, tags: ["a"] });
    }),
  );

  it.effect("is within the reach of the key that asked", () =>
    Effect.gen(function* () {
      const request = { ...REQUEST, reach: ["*@y.test"] };
      assert.deepStrictEqual(yield* answered(byGrant(accountsInMemory(), request)), ["OutsideReach", 10_000]);
    }),
  );
});

describe("a failed connection", () => {
  it.effect("is answered ten seconds late, one answer for all faults of the credential [S11.3-10] [S10.3-17]", () =>
    Effect.gen(function* () {
      const world = accountsInMemory();
      assert.deepStrictEqual(yield* answered(byPassword(world)), ["connected", 0]);
      assert.deepStrictEqual(yield* answered(byPassword(accountsInMemory(), WRONG)), ["LoginRefused", 10_000]);
      for (const [cause, expected] of [
        ["oauth_required", "LoginRefused"],
        ["timeout", "AccountUnverified"],
      ] as const) {
        const other = accountsInMemory();
        other.state.answers.set("found.test", { _tag: "Failed", cause });
        assert.deepStrictEqual(yield* answered(byPassword(other)), [expected, 10_000]);
      }
      assert.deepStrictEqual(yield* answered(byPassword(world, PASSWORD, REQUEST, "nobody")), ["AddressMalformed", 0]);
      assert.deepStrictEqual(yield* answered(byGrant(world, REQUEST, "nobody")), ["AddressMalformed", 10_000]);
    }),
  );

  it.effect("tells the throttle whether the server gave a reason [S3.6-5]", () =>
    Effect.gen(function* () {
      for (const isUnclear of [true, false]) {
        const world = accountsInMemory();
        world.state.answers.set("imap found.test", { _tag: "Failed", cause: "auth_refused", isUnclear });
        const fiber = yield* Effect.forkChild(Effect.flip(byPassword(world)));
        yield* Effect.repeat(Effect.yieldNow, { times: 100 });
        yield* TestClock.adjust("10 seconds");
        const refusal = yield* Fiber.join(fiber);
        assert.deepInclude(JSON.parse(JSON.stringify(refusal)), { _tag: "LoginRefused", isUnclear });
        assert.deepStrictEqual(world.state.did, [`attempt on ${ME} from 192.0.2.1`]);
      }
    }),
  );

  it.effect("is also one by password of an account with tokens, whose servers see no password [S11.3-26]", () =>
    Effect.gen(function* () {
      const world = accountsInMemory();
      world.enter({ authKind: "oauth2", provider: "corp" });
      assert.deepStrictEqual(yield* answered(byPassword(world)), ["LoginRefused", 10_000]);
      assert.deepStrictEqual(world.state.shown, []);
    }),
  );
});
