import { assert, it } from "@effect/vitest";
import { type Harness, harness, HARNESS_URL } from "@postern/harness";
import { Effect, Fiber } from "effect";
import { describe } from "vitest";
import { call, signIn } from "./call.ts";
import { asAdmin, asKey, makeKey } from "./key-world.ts";
import { addAccount, APP, browse, connectByConsent, OWNER, SHARED, stateOf, withApp } from "./oauth-world.ts";

const count = (world: Harness, account: typeof OWNER, type: string) =>
  Effect.map(world.events.list(account), (events) => events.filter((event) => event.type === type).length);

describe("a device authorization", () => {
  const start = Effect.fnUntraced(function* (world: Harness, key: string) {
    const { status, body } = yield* asKey(world, key, "POST", "/api/accounts/connect/device", {
      json: { provider: APP },
    });
    assert.strictEqual(status, 200);
    return body.data as { readonly id: string; readonly userCode: string; readonly interval: number };
  });
  const look = (world: Harness, key: string, id: string) =>
    asKey(world, key, "GET", `/api/accounts/connect/device/${id}`);

  it.effect(
    "connects the account of the user who consents, and asks the provider once per interval [S10.3-6] [S10.3-25] [S11.3-17]",
    () =>
      Effect.gen(function* () {
        const world = yield* harness;
        const key = yield* withApp(world);
        const { id, userCode, interval } = yield* start(world, key);
        const before = world.provider.requests;
        for (let n = 0; n < 5; n++) assert.strictEqual((yield* look(world, key, id)).body.data.state, "pending");
        assert.strictEqual(world.provider.requests, before, "the first poll comes after an interval");
        yield* world.pass(`${interval} seconds`);
        for (let n = 0; n < 5; n++) assert.strictEqual((yield* look(world, key, id)).body.data.state, "pending");
        assert.strictEqual(world.provider.requests, before + 1);
        world.provider.decideDevice(userCode, { user: OWNER });
        yield* world.pass(`${interval} seconds`);
        const { body } = yield* look(world, key, id);
        assert.strictEqual(body.data.state, "done");
        assert.deepStrictEqual(yield* stateOf(world, key, body.data.account), ["active", null]);
        assert.strictEqual((yield* asKey(world, key, "GET", "/api/folders", { account: OWNER })).status, 200);
      }).pipe(Effect.scoped),
  );

  it.effect.each(["denied", "expired"] as const)("that is %s connects nothing", (decision) =>
    Effect.gen(function* () {
      const world = yield* harness;
      const key = yield* withApp(world);
      const { id, userCode, interval } = yield* start(world, key);
      world.provider.decideDevice(userCode, decision);
      yield* world.pass(`${interval} seconds`);
      assert.deepStrictEqual((yield* look(world, key, id)).body.data, { state: decision, account: null });
      assert.strictEqual((yield* asKey(world, key, "GET", "/api/accounts")).body.data.length, 0);
    }).pipe(Effect.scoped),
  );

  it.effect("ends with the service key that began it [S11.3-1]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      yield* withApp(world);
      const [first, other] = [yield* makeKey(world), yield* makeKey(world)];
      const { id, userCode, interval } = yield* start(world, first.key);
      yield* asAdmin(world, "DELETE", `/api/keys/${first.id}`);
      world.provider.decideDevice(userCode, { user: OWNER });
      yield* world.pass(`${interval} seconds`);
      const { body } = yield* look(world, other.key, id);
      assert.deepStrictEqual(body.data, { state: "expired", account: null });
      assert.strictEqual((yield* asKey(world, other.key, "GET", "/api/accounts")).body.data.length, 0);
    }).pipe(Effect.scoped),
  );

  it.effect("is unknown to a key of another reach [S11.3-18]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const { key } = yield* Effect.andThen(withApp(world), makeKey(world, { accounts: ["*@postern.test"] }));
      const other = yield* makeKey(world, { accounts: ["*@elsewhere.test"] });
      const { id } = yield* start(world, key);
      assert.strictEqual((yield* look(world, key, id)).status, 200);
      assert.strictEqual((yield* look(world, other.key, id)).status, 404);
      assert.strictEqual((yield* look(world, key, "guessed")).status, 404);
    }).pipe(Effect.scoped),
  );
});

describe("a shared mailbox", () => {
  it.effect(
    "is opened by the tokens of another account, ends with its grant, and recovers with it [S11.2-1] [S11.4-16]",
    () =>
      Effect.gen(function* () {
        const world = yield* harness;
        const key = yield* withApp(world);
        const opens = world.mail.opens;
        world.mail.opens = (account, token) => opens(account === SHARED ? OWNER : account, token);
        yield* addAccount(world, key, OWNER);
        const made = yield* asKey(world, key, "POST", "/api/accounts", {
          json: { email: SHARED, grant: { delegateOf: OWNER } },
        });
        assert.strictEqual(made.status, 200, JSON.stringify(made.body));
        const folders = (account: string) => asKey(world, key, "GET", "/api/folders", { account });
        assert.strictEqual((yield* folders(SHARED)).status, 200);

        world.provider.revoke(OWNER);
        yield* world.pass("1 hour");
        for (const account of [SHARED, OWNER]) {
          const { status, body } = yield* folders(account);
          assert.deepStrictEqual([status, body.code], [409, "account_needs_reauth"], account);
          assert.deepStrictEqual(yield* stateOf(world, key, account), ["needs_reauth", "grant_revoked"], account);
        }
        yield* world.pass("5 seconds");
        assert.match((yield* connectByConsent(world, OWNER)).url, /^https:\/\/app\.example\/done\?account=acc_/);
        for (const account of [SHARED, OWNER]) {
          assert.strictEqual((yield* folders(account)).status, 200, account);
          assert.deepStrictEqual(yield* stateOf(world, key, account), ["active", null], account);
          assert.strictEqual(yield* count(world, account, "account.auth_failed"), 1, account);
          assert.strictEqual(yield* count(world, account, "account.recovered"), 1, account);
        }
      }).pipe(Effect.scoped),
  );

  it.effect("needs an account with a consent of its own [S11.2-1] [S11.2-3]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const key = yield* withApp(world);
      yield* addAccount(world, key, OWNER);
      const json = { email: SHARED, grant: { delegateOf: "absent@postern.test" } };
      assert.strictEqual((yield* asKey(world, key, "POST", "/api/accounts", { json })).status, 404);
      // The mail server does not open it by tokens of the owner.
      const refused = yield* asKey(world, key, "POST", "/api/accounts", {
        json: { email: SHARED, grant: { delegateOf: OWNER } },
      });
      assert.deepStrictEqual([refused.status, refused.body.code], [422, "account_unverified"]);
    }).pipe(Effect.scoped),
  );
});

describe("a grant", () => {
  it.effect("cannot be given beside a password [S11.2-2]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const key = yield* withApp(world);
      const grant = { app: APP, refreshToken: world.provider.refreshToken(OWNER) };
      for (const secret of [{}, { grant, password: "x" }]) {
        const { status } = yield* asKey(world, key, "POST", "/api/accounts", { json: { email: OWNER, ...secret } });
        assert.strictEqual(status, 400);
      }
    }).pipe(Effect.scoped),
  );

  it.effect("of another user than before is refused to a key [S11.2-6]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const key = yield* withApp(world);
      const email = "demo@postern.test";
      yield* browse(world, `/oauth/sign-in/${APP}?email=${email}`, email);
      const consentAs = Effect.fnUntraced(function* (user: string) {
        const json = { provider: APP, email };
        const begun = yield* asKey(world, key, "POST", "/api/accounts/connect/device", { json });
        const { id, userCode, interval } = begun.body.data;
        world.provider.decideDevice(userCode, { user });
        yield* world.pass(`${interval} seconds`);
        const looking = yield* Effect.forkChild(asKey(world, key, "GET", `/api/accounts/connect/device/${id}`));
        yield* world.pass("11 seconds");
        return yield* Fiber.join(looking);
      });
      const refused = yield* consentAs(OWNER);
      assert.deepStrictEqual([refused.status, refused.body.code], [422, "other_user_consented"]);
      assert.strictEqual((yield* consentAs(email)).body.data.state, "done");
    }).pipe(Effect.scoped),
  );

  it.effect("is replaced by a password only if a key sets it [S11.3-26] [S11.2-12]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const key = yield* withApp(world);
      const email = "demo@postern.test";
      const made = yield* addAccount(world, key, email);
      assert.deepStrictEqual(made.body.data.auth, { kind: "oauth2", provider: APP });
      const path = `/api/accounts/${email}`;
      const changed = yield* asKey(world, key, "PATCH", path, { json: { password: "demo" } });
      assert.deepStrictEqual(changed.body.data.auth, { kind: "password", provider: null });
      assert.strictEqual((yield* signIn(world)).status, 200);
    }).pipe(Effect.scoped),
  );
});

it.effect("a token that the mail server refuses is replaced once, and then needs a consent [S11.4-12]", () =>
  Effect.gen(function* () {
    const world = yield* harness;
    const key = yield* withApp(world);
    yield* addAccount(world, key, OWNER);
    world.mail.opens = () => false;
    const before = world.provider.requests;
    const refused = yield* asKey(world, key, "GET", "/api/folders", { account: OWNER });
    assert.deepStrictEqual([refused.status, refused.body.code], [409, "account_needs_reauth"]);
    assert.deepStrictEqual(yield* stateOf(world, key, OWNER), ["needs_reauth", "token_refused"]);
    assert.strictEqual(world.provider.requests - before, 1);
  }).pipe(Effect.scoped),
);

describe("consents", () => {
  it.effect("are refused from the fifty-first of a network until ten minutes passed [S11.3-16] [S11.3-13]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      yield* withApp(world);
      const path = new URL(`/oauth/sign-in/${APP}?email=${OWNER}`, HARNESS_URL);
      const begin = (cookie = "") => world.request(new Request(path, { headers: { cookie } }));
      const first = yield* begin();
      const [cookie = ""] = first.headers.getSetCookie()[0]!.split(";");
      for (let n = 1; n < 50; n++) assert.strictEqual((yield* begin()).status, 303);
      assert.strictEqual((yield* begin()).status, 429);
      yield* world.pass("10 minutes");
      const callback = world.provider.consent(first.headers.get("location")!, OWNER);
      assert.strictEqual((yield* world.request(new Request(callback, { headers: { cookie } }))).status, 410);
      assert.strictEqual((yield* begin()).status, 303);
    }).pipe(Effect.scoped),
  );
});

describe("consents of one browser", () => {
  it.effect("go on side by side, each with a cookie of its own, and ignore a planted one [S11.3-13]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      yield* withApp(world);
      const planted = "A".repeat(43);
      const cookies = [`consent=${planted}`, `__Host-consent=${planted}`];
      const get = (url: string) => world.request(new Request(url, { headers: { cookie: cookies.join("; ") } }));
      const begin = Effect.fnUntraced(function* (email: string) {
        const response = yield* get(new URL(`/oauth/sign-in/${APP}?email=${email}`, HARNESS_URL).href);
        const [cookie = ""] = response.headers.getSetCookie()[0]!.split(";");
        assert.match(cookie, /-consent=/);
        assert.notInclude(cookie, planted);
        cookies.push(cookie);
        return world.provider.consent(response.headers.get("location")!, email);
      });
      const callbacks = [yield* begin(OWNER), yield* begin("demo@postern.test")];
      const others = cookies.splice(2);
      assert.strictEqual((yield* get(callbacks[0]!)).status, 410, "without the cookie that was set");
      cookies.push(...others);
      for (const callback of callbacks) assert.strictEqual((yield* get(callback)).status, 303);
    }).pipe(Effect.scoped),
  );
});

describe("a sign-in by consent", () => {
  it.effect("makes a session of a browser, and ends sign-ins by password [S11.3-19] [S11.3-25]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      yield* withApp(world);
      const email = "demo@postern.test";
      const { url, cookies } = yield* browse(world, `/oauth/sign-in/${APP}?email=${email}`, email);
      assert.notInclude(url, "error");
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      assert.strictEqual((yield* call(world, "GET", "/api/folders", { cookie })).status, 200);
      assert.strictEqual((yield* signIn(world)).status, 401);
    }).pipe(Effect.scoped),
  );

  it.effect.each([
    ["as another user", "kim@postern.test", "?email=demo@postern.test"],
    ["as a user whose mailbox does not open", "kim@postern.test", ""],
    ["that is denied", null, "?email=demo@postern.test"],
  ] as const)("%s makes none [S11.2-3] [S11.3-20] [S11.3-10] [S11.4-13]", ([, user, query]) =>
    Effect.gen(function* () {
      const world = yield* harness;
      yield* withApp(world);
      const path = `/oauth/sign-in/${APP}${query}`;
      for (let tries = 0; tries < 6; tries++) {
        const fiber = yield* Effect.forkChild(browse(world, path, user));
        yield* world.pass("9 seconds");
        if (user !== null) assert.isUndefined(fiber.pollUnsafe());
        yield* world.pass("2 seconds");
        const { cookies } = yield* Fiber.join(fiber);
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
        assert.strictEqual((yield* call(world, "GET", "/api/folders", { cookie })).status, 401);
      }
      assert.strictEqual((yield* signIn(world)).status, 200);
    }).pipe(Effect.scoped),
  );
});
