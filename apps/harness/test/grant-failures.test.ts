import { assert, it } from "@effect/vitest";
import { type Harness, harness } from "@postern/harness";
import { Effect } from "effect";
import { describe } from "vitest";
import { asAdmin, asKey } from "./key-world.ts";
import { addAccount, addApp, APP, connectByConsent, OWNER, SHARED, stateOf, withApp } from "./oauth-world.ts";

/** Returns a key of an application that watches an account by grant, a second before its access token is replaced. */
const watched = Effect.fnUntraced(function* (world: Harness) {
  const key = yield* withApp(world);
  const events = ["account.auth_failed", "account.recovered"];
  yield* asKey(world, key, "POST", "/api/settings/webhooks", { json: { url: "https://app.example/hook", events } });
  yield* addAccount(world, key, OWNER);
  yield* world.pass("47 minutes");
  yield* world.pass("59 seconds");
  return key;
});

/** Reads both accounts, which takes an access token; returns the statuses. */
const use = Effect.fnUntraced(function* (world: Harness, key: string) {
  const read = (account: string) => asKey(world, key, "GET", "/api/inbox", { account });
  const statuses: Array<number> = [];
  for (const account of [OWNER, SHARED]) statuses.push((yield* read(account)).status);
  return statuses;
});

const count = (world: Harness, type: string) =>
  Effect.map(world.events.list(OWNER), (events) => events.filter((event) => event.type === type).length);

/** The answers of providers, and the reason that an account gets for each. */
const ENDED = [
  ["invalid_grant", undefined, "grant_revoked"],
  ["invalid_grant", "AADSTS50173: the password was changed", "password_changed"],
  ["invalid_grant", "AADSTS700082: expired due to inactivity", "grant_expired"],
  ["invalid_grant", "AADSTS70043: expired by conditional access", "grant_expired"],
  ["interaction_required", "AADSTS50076: multi-factor", "mfa_required"],
  ["interaction_required", "AADSTS50079: multi-factor enrolment", "mfa_required"],
  ["invalid_grant", "AADSTS65001: no consent", "consent_required"],
] as const;

describe("a grant", () => {
  it.effect.each(ENDED)(
    "that ends with %s %s is reported once, and a consent sends the mail that waited [S11.3-11] [S11.4-9] [S11.4-15]",
    ([error, description, code]) =>
      Effect.gen(function* () {
        const world = yield* harness;
        const key = yield* watched(world);
        const sent: Array<string> = [];
        world.smtp.onTaken = ({ raw }) => void sent.push(new TextDecoder().decode(raw));
        const sendAt = new Date(world.now() + 60_000).toISOString();
        const json = { to: "friend@far.test", subject: "By token", text: "x", sendAt };
        assert.strictEqual((yield* asKey(world, key, "POST", "/api/send", { account: OWNER, json })).status, 200);

        const before = world.provider.requests;
        world.provider.conduct = {
          refusal: { error, ...(description === undefined ? {} : { error_description: description }) },
        };
        yield* world.pass("2 seconds");
        yield* use(world, key);
        yield* world.pass("3 seconds");
        assert.deepStrictEqual(yield* stateOf(world, key, OWNER), ["needs_reauth", code]);
        assert.strictEqual(yield* count(world, "account.auth_failed"), 1);
        yield* world.pass("30 minutes");
        assert.strictEqual((yield* asKey(world, key, "GET", "/api/inbox", { account: OWNER })).status, 409);
        assert.strictEqual(world.provider.requests - before, 1, "the provider is not asked again");
        assert.strictEqual(yield* count(world, "account.auth_failed"), 1);
        assert.deepStrictEqual(sent, []);

        world.provider.conduct = {};
        assert.include((yield* connectByConsent(world, OWNER)).url, "account=acc_");
        yield* world.pass("1 minute");
        assert.deepStrictEqual(yield* stateOf(world, key, OWNER), ["active", null]);
        assert.strictEqual(yield* count(world, "account.recovered"), 1);
        assert.strictEqual(sent.length, 1);
      }).pipe(Effect.scoped),
  );

  it.effect.each([
    ["invalid_client", undefined],
    ["unauthorized_client", "AADSTS700016: no such application"],
    ["invalid_client", "AADSTS7000215: wrong secret"],
    ["invalid_client", "AADSTS7000222: expired secret"],
    ["unauthorized_client", "AADSTS7000112: disabled"],
  ] as const)(
    "stays while its app is refused with %s %s: one account asks again each minute [S11.4-10]",
    ([error, description]) =>
      Effect.gen(function* () {
        const world = yield* harness;
        const key = yield* watched(world);
        yield* addAccount(world, key, SHARED);
        world.provider.conduct = {
          refusal: { error, ...(description === undefined ? {} : { error_description: description }) },
        };
        yield* world.pass("1 hour");
        yield* use(world, key);
        for (const account of [OWNER, SHARED]) {
          assert.deepStrictEqual(yield* stateOf(world, key, account), ["unreachable", "app_misconfigured"]);
        }
        const before = world.provider.requests;
        for (let n = 0; n < 60; n++) {
          yield* world.pass("10 seconds");
          yield* use(world, key);
        }
        assert.isAtMost(world.provider.requests - before, 11);
        assert.isAtLeast(world.provider.requests - before, 8);

        world.provider.conduct = {};
        world.provider.register("postern", "another");
        yield* addApp(world, "another");
        yield* world.pass("1 minute");
        yield* use(world, key);
        for (const account of [OWNER, SHARED]) {
          assert.deepStrictEqual(yield* stateOf(world, key, account), ["active", null]);
        }
        assert.strictEqual(yield* count(world, "account.auth_failed"), 0);
      }).pipe(Effect.scoped),
  );

  it.effect(
    "is shown to no other provider after its app was replaced, and works again once the app is put back [S11.1-4]",
    () =>
      Effect.gen(function* () {
        const world = yield* harness;
        const key = yield* watched(world);
        const app = {
          id: APP,
          provider: "oidc",
          issuer: "https://elsewhere.example",
          clientId: "postern",
          clientSecret: "x",
        };
        assert.strictEqual((yield* asAdmin(world, "POST", "/api/oauth/apps", app)).status, 200);
        const before = world.provider.requests;
        yield* world.pass("2 hours");
        yield* use(world, key);
        assert.strictEqual(world.provider.requests, before);
        assert.deepStrictEqual(yield* stateOf(world, key, OWNER), ["unreachable", "app_misconfigured"]);
        yield* addApp(world, "secret");
        yield* world.pass("1 minute");
        yield* use(world, key);
        assert.deepStrictEqual(yield* stateOf(world, key, OWNER), ["active", null]);
      }).pipe(Effect.scoped),
  );

  it.effect(
    "stays while its provider is down: its account is unreachable once its token ends, and requests become less frequent [S11.4-11]",
    () =>
      Effect.gen(function* () {
        const world = yield* harness;
        const key = yield* watched(world);
        world.provider.conduct = { isDown: true };
        yield* world.pass("5 minutes");
        assert.isTrue((yield* use(world, key)).includes(200));
        assert.deepStrictEqual(yield* stateOf(world, key, OWNER), ["active", null]);
        yield* world.pass("1 hour");
        yield* use(world, key);
        assert.deepStrictEqual(yield* stateOf(world, key, OWNER), ["unreachable", "provider_unavailable"]);
        world.provider.conduct = {};
        yield* world.pass("6 minutes");
        yield* use(world, key);
        assert.deepStrictEqual(yield* stateOf(world, key, OWNER), ["active", null]);
        assert.strictEqual(yield* count(world, "account.auth_failed"), 0);
      }).pipe(Effect.scoped),
  );
});
