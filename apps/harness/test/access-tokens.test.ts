import { assert, it } from "@effect/vitest";
import { CredentialVault } from "@postern/core/auth";
import { AccountDirectory, newAccount, reasonOf, stateOf } from "@postern/core/accounts";
import {
  AccessTokens,
  AuthorizationServer,
  type Grant,
  Grants,
  type IssuedTokens,
  oauth,
  type OAuthApp,
  OAuthApps,
} from "@postern/core/oauth";
import { AccountId, StoreUnavailable } from "@postern/core/shared";
import { AuthorizationServerInMemory, type ProviderConduct, ProviderInMemory, StoresInMemory } from "@postern/memory";
import { layer as nodeCrypto } from "@postern/node-crypto";
import { Clock, Context, Effect, Fiber, Layer, Option, Redacted, Scope } from "effect";
import { TestClock } from "effect/testing";
import { describe } from "vitest";

const ME = AccountId("me@example.org");
const OTHER = AccountId("other@example.org");
const REDIRECT = "https://mail.example/oauth/callback";
const APP: OAuthApp = {
  id: "corp",
  provider: "oidc",
  label: null,
  issuer: "https://provider.example",
  tenant: null,
  clientId: "postern",
  secret: { _tag: "ClientSecret", value: Redacted.make("secret") },
  mode: "delegated",
  tokenUrl: null,
  scopes: null,
  servers: null,
  domains: [],
};

/** The grant of a user who consented at the start of the clock. */
const grantOf = (account: AccountId, { accessToken, refreshToken, expiresIn }: IssuedTokens): Grant => ({
  account,
  username: account,
  app: APP.id,
  refreshToken,
  issuedBy: null,
  identity: null,
  delegateOf: null,
  state: "active",
  accessToken: { token: accessToken, issuedAt: 0, expiresAt: expiresIn * 1000 },
  lease: null,
  interrupted: false,
  renewedAt: null,
  fault: null,
  failures: 0,
  retryAt: null,
});

/** A store and a provider with one account whose user consented, and nodes that share them. */
const world = Effect.fnUntraced(function* (
  conduct: ProviderConduct = {},
  storedIn: (grants: Grants["Service"]) => Grants["Service"] = (grants) => grants,
) {
  const shared = yield* Layer.build(
    Layer.mergeAll(StoresInMemory, Layer.provideMerge(AuthorizationServerInMemory, ProviderInMemory.layer)),
  );
  const provider = Context.get(shared, ProviderInMemory);
  provider.register("postern", "secret");
  provider.conduct = conduct;
  const server = Context.get(shared, AuthorizationServer);
  const request = { redirectUri: REDIRECT, state: "s", nonce: "n", verifier: Redacted.make("v") };
  yield* Context.get(shared, OAuthApps).keep(APP);
  for (const id of [ME, OTHER]) {
    const url = yield* server.authorizationUrl(APP, { ...request, loginHint: id });
    const callbackUrl = Redacted.make(provider.consent(url, id));
    const issued = yield* server.exchange(APP, { ...request, callbackUrl });
    yield* Context.get(shared, AccountDirectory).insert(newAccount(id, 0));
    yield* Context.get(shared, Grants).keep(grantOf(id, issued));
  }

  // Never closed: what a killed process was doing does not end.
  const scope = Scope.makeUnsafe();
  const node = (behindServer: Layer.Layer<AuthorizationServer> = Layer.succeed(AuthorizationServer, server)) =>
    Effect.map(
      Layer.buildWithMemoMap(
        oauth.layer.pipe(
          Layer.provide([behindServer, Layer.orDie(nodeCrypto({ idKey: new Uint8Array(32) }))]),
          Layer.provide(Layer.succeedContext(Context.add(shared, Grants, storedIn(Context.get(shared, Grants))))),
        ),
        Layer.makeMemoMapUnsafe(),
        scope,
      ),
      (context) => Context.get(context, AccessTokens),
    );
  const account = Effect.map(Context.get(shared, AccountDirectory).find(ME), Option.getOrThrow);
  return { provider, server, node, account, vault: Context.get(shared, CredentialVault) };
});

/** A clock on which every sleep lasts for ever, as for a process that was killed. */
const stoppedAt = (clock: Clock.Clock): Clock.Clock =>
  Object.create(clock, { sleep: { value: () => Effect.never } }) as Clock.Clock;

const now = TestClock.testClockWith(({ currentTimeMillis }) => currentTimeMillis);

/** Runs an effect while virtual time passes. */
const passing = <A, E>(effect: Effect.Effect<A, E>, seconds: number): Effect.Effect<A, E, Scope.Scope> =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkScoped(effect);
    for (let n = 0; n < seconds * 10 && fiber.pollUnsafe() === undefined; n++) yield* TestClock.adjust("100 millis");
    return yield* Fiber.join(fiber);
  });

describe("access tokens of an account that several nodes use", () => {
  it.effect("are refreshed once each hour for 90 days, without a refresh token used twice [S11.4-3] [S11.4-6]", () =>
    Effect.gen(function* () {
      const { provider, node } = yield* world({ rotation: "strict" });
      const nodes = [yield* node(), yield* node(), yield* node()];
      const before = provider.requests;
      const hours = 90 * 24;
      for (let hour = 0; hour < hours; hour++) {
        yield* TestClock.adjust("1 hour");
        const asked = Effect.all(
          Array.from({ length: 9 }, (_, n) => nodes[n % 3]!.of(ME)),
          { concurrency: "unbounded" },
        );
        const tokens = new Set((yield* passing(asked, 5)).map((token) => Redacted.value(token)));
        assert.strictEqual(tokens.size, 1, `hour ${hour}`);
        const now = yield* TestClock.testClockWith(({ currentTimeMillis }) => currentTimeMillis);
        assert.strictEqual(provider.userOf([...tokens][0]!, now), ME);
      }
      assert.strictEqual(provider.requests - before, hours);
    }).pipe(Effect.scoped),
  );

  it.effect.each(["strict", "lenient", "none"] as const)(
    "survive a node that ends between the exchange and the write, or need a consent: rotation %s [S11.4-7] [S11.4-3]",
    (rotation) =>
      Effect.gen(function* () {
        const { server, node, account } = yield* world({ rotation });
        const dying = yield* node(
          Layer.succeed(AuthorizationServer, {
            ...server,
            refresh: (app, token) => Effect.andThen(server.refresh(app, token), Effect.never),
          }),
        );
        const other = yield* node();
        yield* TestClock.adjust("1 hour");
        // It neither answers nor renews its lease any more.
        yield* Effect.forkScoped(dying.of(ME).pipe(Effect.provideService(Clock.Clock, stoppedAt(yield* Clock.Clock))));
        yield* TestClock.adjust("10 millis");
        const asked = Effect.result(passing(other.of(ME), 20));
        const { _tag } = yield* asked;
        const known = yield* account;
        if (rotation === "strict") {
          assert.strictEqual(_tag, "Failure");
          assert.deepStrictEqual([stateOf(known), reasonOf(known)?.cause], ["needs_reauth", "token_lost"]);
        } else {
          assert.strictEqual(_tag, "Success");
          assert.strictEqual(stateOf(known), "active");
        }
      }).pipe(Effect.scoped),
  );

  it.effect(
    "are used only after their refresh token is stored, which is retried while the database is down [S11.4-5]",
    () =>
      Effect.gen(function* () {
        let outage = 0;
        const { provider, server, node } = yield* world({ rotation: "strict" }, (grants) => ({
          ...grants,
          change: (account, next) =>
            Effect.suspend(() =>
              outage-- > 0 ? Effect.fail(new StoreUnavailable({ detail: "down" })) : grants.change(account, next),
            ),
        }));
        const refresh: typeof server.refresh = (app, token) =>
          Effect.tap(server.refresh(app, token), () => Effect.sync(() => void (outage = 20)));
        const one = yield* node(Layer.succeed(AuthorizationServer, { ...server, refresh }));
        for (let hour = 0; hour < 2; hour++) {
          yield* TestClock.adjust("1 hour");
          const before = provider.requests;
          const token = yield* Effect.forkScoped(one.of(ME));
          yield* TestClock.adjust("4 seconds");
          assert.isUndefined(token.pollUnsafe());
          assert.strictEqual(provider.userOf(Redacted.value(yield* passing(Fiber.join(token), 10)), yield* now), ME);
          assert.strictEqual(provider.requests - before, 1);
        }
      }).pipe(Effect.scoped),
  );

  it.effect("do not wait for those of another account [S11.4-8]", () =>
    Effect.gen(function* () {
      const { provider, server, node } = yield* world();
      let asked = 0;
      const refresh: typeof server.refresh = (app, token) =>
        asked++ === 0 ? Effect.never : server.refresh(app, token);
      const one = yield* node(Layer.succeed(AuthorizationServer, { ...server, refresh }));
      yield* TestClock.adjust("1 hour");
      yield* Effect.forkScoped(one.of(ME));
      yield* TestClock.adjust("10 millis");
      assert.strictEqual(asked, 1);
      assert.strictEqual(provider.userOf(Redacted.value(yield* passing(one.of(OTHER), 1)), yield* now), OTHER);
    }).pipe(Effect.scoped),
  );

  it.effect("that the provider ended make the account need a consent, which is requested once [S11.4-9]", () =>
    Effect.gen(function* () {
      const { provider, node, account, vault } = yield* world();
      const nodes = [yield* node(), yield* node()];
      provider.conduct = { refusal: { error: "invalid_grant", error_description: "AADSTS50173" } };
      yield* TestClock.adjust("1 hour");
      const before = provider.requests;
      for (const each of [...nodes, ...nodes]) {
        assert.deepInclude(yield* Effect.flip(passing(each.of(ME), 5)), {
          _tag: "GrantRefused",
          fault: "password_changed",
        });
      }
      assert.strictEqual(provider.requests - before, 1);
      const known = yield* account;
      assert.deepStrictEqual([stateOf(known), reasonOf(known)?.cause], ["needs_reauth", "password_changed"]);
      assert.deepStrictEqual(yield* vault.listUnannounced(10), [ME]);
    }).pipe(Effect.scoped),
  );

  it.effect("stay in use while the provider is down, and the account is unreachable once they end", () =>
    Effect.gen(function* () {
      const { provider, node, account } = yield* world();
      const one = yield* node();
      yield* TestClock.adjust("50 minutes");
      provider.conduct = { isDown: true };
      assert.isTrue(Redacted.isRedacted(yield* passing(one.of(ME), 5)));
      assert.strictEqual(stateOf(yield* account), "active");
      yield* TestClock.adjust("10 minutes");
      assert.propertyVal(yield* Effect.flip(passing(one.of(ME), 5)), "_tag", "ProviderUnavailable");
      assert.deepInclude(reasonOf(yield* account), { cause: "provider_unavailable" });
      provider.conduct = {};
      yield* TestClock.adjust("5 minutes");
      assert.isTrue(Redacted.isRedacted(yield* passing(one.of(ME), 5)));
      assert.strictEqual(stateOf(yield* account), "active");
    }).pipe(Effect.scoped),
  );
});
