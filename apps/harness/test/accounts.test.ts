import { assert, it } from "@effect/vitest";
import { AccountId } from "@postern/core/shared";
import { type Harness, HARNESS_ADMIN_KEY, HARNESS_URL, harness } from "@postern/harness";
import { Effect } from "effect";
import { describe } from "vitest";
import { call, signIn } from "./call.ts";
import { readEventStream } from "./event-stream.ts";

const DEMO = { email: "demo@postern.test", password: "demo" };

const keyWith = Effect.fnUntraced(function* (world: Harness, scopes: ReadonlyArray<string>, accounts?: Array<string>) {
  const json = { name: "test", scopes, ...(accounts === undefined ? {} : { accounts }) };
  const { body } = yield* call(world, "POST", "/api/keys", { token: HARNESS_ADMIN_KEY, json });
  return body.data.key as string;
});

const ALL = ["accounts:read", "accounts:write", "mail:read", "mail:send"];

/** A world with a key for everything, and the demo account managed. */
const managed = Effect.gen(function* () {
  const world = yield* harness;
  const token = yield* keyWith(world, ALL);
  const { status, body } = yield* call(world, "POST", "/api/accounts", { token, json: { ...DEMO, tags: ["b", "a"] } });
  assert.strictEqual(status, 200);
  return { world, token, account: body.data };
});

describe("accounts of an application", () => {
  it.effect("are found by a part of their address or name, within reach [S10.3-47]", () =>
    Effect.gen(function* () {
      const { world, token, account } = yield* managed;
      yield* call(world, "PATCH", `/api/accounts/${account.id}`, { token, json: { name: "Robert Müller" } });
      yield* call(world, "POST", "/api/accounts", { token, json: { email: "friend@postern.test", password: "demo" } });
      const found = (query: string, key = token) =>
        Effect.map(call(world, "GET", `/api/accounts?query=${encodeURIComponent(query)}`, { token: key }), ({ body }) =>
          body.data.map(({ email }: { readonly email: string }) => email),
        );
      assert.deepStrictEqual(yield* found("MÜLL"), [DEMO.email]);
      assert.deepStrictEqual(yield* found("Friend@"), ["friend@postern.test"]);
      assert.deepStrictEqual(yield* found("postern.test"), [DEMO.email, "friend@postern.test"]);
      assert.deepStrictEqual(yield* found("%"), []);
      const narrow = yield* keyWith(world, ["accounts:read"], [account.id]);
      assert.deepStrictEqual(yield* found("postern.test", narrow), [DEMO.email]);
      const { status, body } = yield* call(world, "GET", `/api/accounts?query=${"x".repeat(201)}`, { token });
      assert.deepStrictEqual([status, body.errors[0].field], [400, "query"]);
    }).pipe(Effect.scoped),
  );

  it.effect("are verified, shown without their password, and read with a key [S10.3-1] [S10.3-14]", () =>
    Effect.gen(function* () {
      const { world, token, account } = yield* managed;
      assert.match(account.id, /^acc_/);
      assert.deepInclude(account, {
        email: DEMO.email,
        managed: true,
        state: "active",
        reason: null,
        tags: ["a", "b"],
      });
      assert.include(account.capabilities, "IDLE");
      assert.sameMembers(
        Object.keys(account),
        "id version email name managed state reason auth imap smtp capabilities provider tags follow following watched createdAt lastSeenAt".split(
          " ",
        ),
      );
      for (const named of [account.id, "Demo@Postern.Test"]) {
        const { body } = yield* call(world, "GET", "/api/inbox", { token, headers: { "postern-account": named } });
        assert.isAbove(body.emails.length, 0);
      }
      const again = yield* call(world, "POST", "/api/accounts", { token, json: DEMO });
      assert.deepStrictEqual([again.status, again.body.code], [409, "account_exists"]);
    }).pipe(Effect.scoped),
  );

  it.effect("are not stored if a server refuses them [S10.3-1] [S10.3-16]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const token = yield* keyWith(world, ALL);
      const refused = yield* call(world, "POST", "/api/accounts", { token, json: { ...DEMO, password: "wrong" } });
      assert.strictEqual(refused.status, 422);
      assert.deepInclude(refused.body.checks.imap, { ok: false, cause: "auth_refused" });
      assert.strictEqual((yield* call(world, "GET", `/api/accounts/${DEMO.email}`, { token })).status, 404);
    }).pipe(Effect.scoped),
  );

  it.effect("that a sign-in created become managed, and outlive their sessions [S10.1-2] [S10.1-3]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const token = yield* keyWith(world, ALL);
      const session = (yield* signIn(world)).body.token;
      const before = yield* call(world, "GET", `/api/accounts/${DEMO.email}`, { token });
      assert.deepInclude(before.body.data, { managed: false, tags: [] });
      const made = yield* call(world, "POST", "/api/accounts", { token, json: DEMO });
      assert.deepInclude(made.body.data, { managed: true, id: before.body.data.id });
      yield* call(world, "POST", "/api/auth/logout", { token: session });
      const after = yield* call(world, "GET", "/api/inbox", { token, headers: { "postern-account": DEMO.email } });
      assert.strictEqual(after.status, 200);
    }).pipe(Effect.scoped),
  );

  it.effect("stay within the reach of a key, before and after a change [S10.2-21]", () =>
    Effect.gen(function* () {
      const { world, account } = yield* managed;
      const own = yield* keyWith(world, ALL, ["tag:a"]);
      const other = yield* keyWith(world, ALL, ["*@elsewhere.test"]);
      const list = (token: string) =>
        Effect.map(call(world, "GET", "/api/accounts", { token }), ({ body }) => body.data.length as number);
      assert.deepStrictEqual([yield* list(own), yield* list(other)], [1, 0]);
      const path = `/api/accounts/${account.id}`;
      assert.strictEqual((yield* call(world, "GET", path, { token: other })).status, 404);
      assert.strictEqual((yield* call(world, "DELETE", path, { token: other })).status, 404);
      const retagged = yield* call(world, "PATCH", path, { token: own, json: { tags: ["b"] } });
      assert.deepStrictEqual([retagged.status, retagged.body.code], [403, "outside_reach"]);
      const added = yield* call(world, "POST", "/api/accounts", {
        token: own,
        json: { email: "friend@postern.test", password: "demo" },
      });
      assert.deepStrictEqual([added.status, added.body.code], [403, "outside_reach"]);
    }).pipe(Effect.scoped),
  );

  it.effect(
    "serve neither keys nor sessions while paused, keep their mail queued, and continue when resumed [S10.2-16] [S10.3-27]",
    () =>
      Effect.gen(function* () {
        const { world, token, account } = yield* managed;
        const headers = { "postern-account": account.id };
        let taken = 0;
        world.smtp.onTaken = () => void taken++;
        const session = (yield* signIn(world)).body.token;
        const at = new Date(world.now() + 60_000).toISOString();
        const json = { to: "friend@postern.test", subject: "Later", text: "x", sendAt: at };
        const sent = yield* call(world, "POST", "/api/send", { token, headers, json });
        assert.strictEqual(sent.status, 200);
        const path = `/api/accounts/${account.id}`;
        const paused = yield* call(world, "PATCH", path, { token, json: { paused: true } });
        assert.deepInclude(paused.body.data, { state: "paused", watched: false });
        for (const asked of [{ token, headers }, { token: session }]) {
          const refused = yield* call(world, "GET", "/api/inbox", asked);
          assert.deepStrictEqual([refused.status, refused.body.code], [409, "account_paused"]);
        }
        yield* world.pass("10 minutes");
        assert.strictEqual(taken, 0);
        yield* call(world, "PATCH", path, { token, json: { paused: false } });
        yield* world.pass("1 minute");
        assert.strictEqual(taken, 1);
      }).pipe(Effect.scoped),
  );

  it.effect("take a changed password only if the mail server does, and recover by it [S10.3-2] [S10.3-3]", () =>
    Effect.gen(function* () {
      const { world, token, account } = yield* managed;
      const path = `/api/accounts/${account.id}`;
      const refused = yield* call(world, "PATCH", path, { token, json: { password: "wrong", name: "X" } });
      assert.strictEqual(refused.status, 422);
      const unchanged = yield* call(world, "GET", path, { token });
      assert.deepInclude(unchanged.body.data, { name: null, state: "active" });
      yield* world.pass("1 minute");
      const verified = yield* call(world, "POST", `${path}/verify`, { token });
      assert.deepInclude(verified.body.data, { state: "active" });
      assert.isTrue(verified.body.data.checks.smtp.ok);
      const lastSeenAt = new Date(world.now()).toISOString();
      const after = yield* call(world, "GET", path, { token });
      assert.deepStrictEqual(after.body.data, { ...unchanged.body.data, lastSeenAt });
    }).pipe(Effect.scoped),
  );

  it.effect("raise account.recovered in each way that the mail server accepts them again", () =>
    Effect.gen(function* () {
      const { world, token, account } = yield* managed;
      const path = `/api/accounts/${account.id}`;
      const recoveries = Effect.map(
        Effect.orDie(world.events.list(AccountId(DEMO.email))),
        (all) => all.filter(({ type }) => type === "account.recovered").length,
      );
      const refuse = Effect.fnUntraced(function* (asked: Omit<Parameters<typeof call>[3], "json">) {
        world.mail.addAccount(DEMO.email, "changed");
        assert.notStrictEqual((yield* call(world, "GET", "/api/inbox", asked)).status, 200);
        const { body } = yield* call(world, "GET", path, { token });
        assert.deepInclude(body.data, { state: "needs_reauth" });
        world.mail.addAccount(DEMO.email, DEMO.password);
      });
      const withKey = { token, headers: { "postern-account": account.id } };
      yield* refuse(withKey);
      yield* call(world, "PATCH", path, { token, json: { password: DEMO.password } });
      assert.strictEqual(yield* recoveries, 1);
      yield* refuse(withKey);
      yield* call(world, "POST", `${path}/verify`, { token });
      assert.strictEqual(yield* recoveries, 2);
      yield* refuse(withKey);
      const session = (yield* signIn(world)).body.token;
      assert.strictEqual(yield* recoveries, 3);
      // A user's account that becomes managed.
      yield* call(world, "DELETE", path, { token });
      const { token: next } = (yield* signIn(world)).body;
      assert.notStrictEqual(next, session);
      yield* refuse({ token: next });
      yield* call(world, "POST", "/api/accounts", { token, json: DEMO });
      assert.strictEqual(yield* recoveries, 1, "the events of the deleted account are erased");
    }).pipe(Effect.scoped),
  );

  it.effect("raise account.auth_failed and account.recovered once each after a verification [S10.3-11]", () =>
    Effect.gen(function* () {
      const { world, token, account } = yield* managed;
      const verify = Effect.map(
        call(world, "POST", `/api/accounts/${account.id}/verify`, { token }),
        ({ body }) => body.data.state as string,
      );
      const raised = Effect.map(Effect.orDie(world.events.list(AccountId(DEMO.email))), (all) =>
        all.map(({ type }) => type).filter((type) => type !== "account.added"),
      );
      world.mail.addAccount(DEMO.email, "changed");
      assert.deepStrictEqual([yield* verify, yield* verify], ["needs_reauth", "needs_reauth"]);
      assert.deepStrictEqual(yield* raised, ["account.auth_failed"]);
      world.mail.addAccount(DEMO.email, DEMO.password);
      assert.deepStrictEqual([yield* verify, yield* verify], ["active", "active"]);
      assert.deepStrictEqual(yield* raised, ["account.auth_failed", "account.recovered"]);
    }).pipe(Effect.scoped),
  );

  it.effect("refuse servers of their own where the deployment has one mail server [S10.3-22]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const token = yield* keyWith(world, ALL);
      const imap = { host: "imap.evil.test", port: 993, security: "tls" };
      const refused = yield* call(world, "POST", "/api/accounts", { token, json: { ...DEMO, imap } });
      assert.deepStrictEqual([refused.status, refused.body.code], [400, "servers_fixed"]);
    }).pipe(Effect.scoped),
  );

  it.live("lose their sessions and streams within a second of a delete [S10.3-28]", () =>
    Effect.gen(function* () {
      const { world, token, account } = yield* managed;
      const session = (yield* signIn(world)).body.token as string;
      const key = yield* keyWith(world, ["events"]);
      const streams = yield* Effect.forEach([session, key], (bearer) => {
        const headers = { authorization: `Bearer ${bearer}`, "postern-account": account.id };
        return Effect.map(world.request(new Request(new URL("/api/events", HARNESS_URL), { headers })), (response) => {
          assert.strictEqual(response.status, 200);
          return readEventStream(response);
        });
      });
      yield* call(world, "DELETE", `/api/accounts/${account.id}`, { token });
      assert.strictEqual((yield* call(world, "GET", "/api/inbox", { token: session })).status, 401);
      yield* world.pass("1 second");
      for (const { next } of streams) assert.isUndefined(yield* Effect.promise(next));
    }).pipe(Effect.scoped),
  );

  it.effect("are erased by a delete, which ends their sessions; a second delete gets 404 [S10.3-30]", () =>
    Effect.gen(function* () {
      const { world, token, account } = yield* managed;
      const session = (yield* signIn(world)).body.token;
      const path = `/api/accounts/${account.id}`;
      const gone = yield* call(world, "DELETE", path, { token });
      assert.deepStrictEqual(gone.body.data, { id: account.id, email: DEMO.email, deleted: true });
      assert.strictEqual((yield* call(world, "GET", "/api/inbox", { token: session })).status, 401);
      assert.strictEqual((yield* call(world, "DELETE", path, { token })).status, 404);
      const found = yield* call(world, "GET", "/api/inbox", { token, headers: { "postern-account": account.id } });
      assert.deepStrictEqual([found.status, found.body.code], [404, "account_not_found"]);
    }).pipe(Effect.scoped),
  );
});
