import { it } from "@effect/vitest";
import { isAboutMailbox, NeededScopes, type NeededScope, PosternApi } from "@postern/api";
import { includesScope } from "@postern/core/auth";
import { harness, type Harness, HARNESS_ADMIN_KEY, HARNESS_URL } from "@postern/harness";
import { Context, Effect } from "effect";
import { HttpApi } from "effect/http-api";
import { describe, expect } from "vitest";
import { signIn } from "./call.ts";
import { ALL_SCOPES, asAdmin, DEMO, makeKey } from "./key-world.ts";

interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly needed: ReadonlyArray<NeededScope>;
  readonly isOfMailbox: boolean;
}

/** Every operation of the contract that needs a credential. */
const operations: Array<Operation> = [];
HttpApi.reflect(PosternApi, {
  onGroup: () => {},
  onEndpoint: ({ endpoint: { annotations, method, middlewares, path } }) => {
    if (middlewares.size <= 1) return;
    const needed = Context.get(annotations, NeededScopes);
    const name = `${method} ${path}`;
    operations.push({
      name,
      method,
      path: path.replaceAll(/:\w+/g, "some"),
      needed,
      isOfMailbox: isAboutMailbox(needed),
    });
  },
});

interface Asked {
  readonly token: string;
  readonly account?: string;
}

/** Sends a request without content. The body of the answer is not read where the operation succeeds: a stream is endless. */
const ask = Effect.fnUntraced(function* (world: Harness, { method, path }: Operation, { token, account }: Asked) {
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    ...(account === undefined ? {} : { "postern-account": account }),
  };
  // The least body that a change may have.
  const body = method === "PATCH" ? { body: "{}" } : {};
  const response = yield* world.request(new Request(new URL(path, HARNESS_URL), { method, headers, ...body }));
  const problem = response.ok ? undefined : yield* Effect.promise(() => response.json() as Promise<{ code: string }>);
  if (response.ok) yield* Effect.promise(() => response.body!.cancel());
  return { status: response.status, code: problem?.code, challenge: response.headers.get("www-authenticate") ?? "" };
});

/** Wrong keys are counted for 15 minutes. */
const forget = (world: Harness) => world.pass("15 minutes");

const REFUSED = [401, 403, 429];

const grantable = ({ needed }: Operation) => needed.filter((scope) => ALL_SCOPES.includes(scope));

describe("the contract", () => {
  it("names a scope for each operation that a key may use [S10.2-14] [S10.2-23] [S10.2-4] [S12.1-3]", () => {
    const byScope = Object.groupBy(operations, ({ needed }) => needed.join(" "));
    expect(Object.keys(byScope).toSorted()).toEqual(
      expect.arrayContaining([
        "admin",
        "events",
        "mail:draft mail:send",
        "mail:delete",
        "mail:organize",
        "mail:read",
        "mail:send",
      ]),
    );
    expect(byScope["admin"]!.map(({ name }) => name).toSorted()).toEqual([
      "DELETE /api/accounts/:id/trace",
      "DELETE /api/applications/:name",
      "DELETE /api/keys/:id",
      "DELETE /api/oauth/apps/:id",
      "DELETE /api/oauth/clients/:id",
      "GET /api/accounts/:id/trace",
      "GET /api/admin/outbox",
      "GET /api/applications",
      "GET /api/applications/:name/webhooks",
      "GET /api/applications/:name/webhooks/:id/deliveries",
      "GET /api/keys",
      "GET /api/oauth/apps",
      "GET /api/oauth/clients",
      "PATCH /api/applications/:name",
      "PATCH /api/keys/:id",
      "POST /api/accounts/:id/trace",
      "POST /api/admin/outbox/cancel",
      "POST /api/admin/outbox/hold",
      "POST /api/admin/outbox/release",
      "POST /api/applications/:name/resume",
      "POST /api/applications/:name/suspend",
      "POST /api/applications/:name/webhooks/:id/deliveries/:deliveryId/body",
      "POST /api/keys",
      "POST /api/oauth/apps",
      "POST /api/oauth/clients",
    ]);
    const ofIdentities = operations.filter(({ path }) => path.startsWith("/api/identities"));
    expect(ofIdentities.map(({ method, needed }) => `${method} ${needed.join(" ")}`).toSorted()).toEqual([
      "DELETE mail:send admin",
      "GET mail:read admin",
      "PATCH mail:send admin",
      "POST mail:send admin",
    ]);
    const drafts = (scope: string) =>
      byScope[scope]!.map(({ name }) => name).filter((name) => name.includes("/api/drafts"));
    expect(drafts("mail:draft").toSorted()).toEqual([
      "DELETE /api/drafts/:id",
      "GET /api/drafts",
      "GET /api/drafts/:id",
      "POST /api/drafts",
      "PUT /api/drafts/:id",
    ]);
    expect(drafts("mail:draft mail:send")).toEqual(["POST /api/drafts/:id/send"]);
    expect(byScope["session"]!.map(({ name }) => name).toSorted()).toEqual([
      "DELETE /api/account",
      "DELETE /api/auth/sessions/:id",
      "DELETE /api/grants/:id",
      "GET /api/account",
      "GET /api/auth/session",
      "GET /api/auth/sessions",
      "GET /api/grants",
      "PATCH /api/account",
      "PATCH /api/grants/:id",
      "POST /api/auth/logout",
    ]);
  });
});

describe("every operation", () => {
  const tried = (title: string, run: (world: Harness, operation: Operation) => Effect.Effect<void>) =>
    it.live(
      title,
      () =>
        Effect.gen(function* () {
          const world = yield* harness;
          yield* signIn(world);
          expect(operations.length).toBeGreaterThan(35);
          for (const operation of operations) yield* run(world, operation);
        }).pipe(Effect.scoped),
      60_000,
    );

  tried(
    "admits a key that has its scope and reaches the account, and refuses one without that scope [S10.2-14] [S10.2-12]",
    (world, one) =>
      Effect.gen(function* () {
        const scopes = grantable(one);
        if (scopes.length > 0) {
          const right = yield* makeKey(world, { scopes: [scopes[0]] });
          expect(REFUSED, one.name).not.toContain((yield* ask(world, one, { token: right.key, account: DEMO })).status);
        }
        // Every key may read what it did itself.
        if (scopes.length === ALL_SCOPES.length) return;
        const others = ALL_SCOPES.filter((scope) => !scopes.some((needed) => includesScope([scope], needed)));
        const { key } = yield* makeKey(world, { scopes: others });
        const refused = yield* ask(world, one, { token: key, account: DEMO });
        expect([refused.status, refused.code], one.name).toEqual([403, "insufficient_scope"]);
        expect(refused.challenge, one.name).toBe(
          `Bearer realm="postern", error="insufficient_scope", scope="${one.needed.join(" ")}"`,
        );
      }),
  );

  tried("refuses a key for another account as it refuses an unknown account [S10.2-11]", (world, one) =>
    Effect.gen(function* () {
      if (!one.isOfMailbox) return;
      const { key } = yield* makeKey(world, { accounts: ["*@other.test", "tag:vip"] });
      for (const account of [DEMO, "absent@other.test", "acc_none", "", "demo@postern.test, demo@postern.test"]) {
        const refused = yield* ask(world, one, { token: key, account });
        expect([refused.status, refused.code], `${one.name} ${account}`).toEqual([404, "account_not_found"]);
      }
    }),
  );

  tried(
    "refuses a key for another account named in the path as it refuses an unknown account [S10.2-11]",
    (world, one) =>
      Effect.gen(function* () {
        if (!one.name.includes("/api/accounts/:id") || one.needed.includes("admin")) return;
        const { key } = yield* makeKey(world, { accounts: ["*@other.test", "tag:vip"] });
        for (const account of [DEMO, "absent@other.test", "acc_none"]) {
          const path = one.name.split(" ")[1]!.replace(":id", account);
          const refused = yield* ask(world, { ...one, path }, { token: key });
          expect([refused.status, refused.code], `${one.name} ${account}`).toEqual([404, "account_not_found"]);
        }
      }),
  );

  tried("refuses a key whose request names no account [S10.2-10]", (world, one) =>
    Effect.gen(function* () {
      if (!one.isOfMailbox || one.path.startsWith("/api/settings/webhooks")) return;
      if (["/api/audit", "/api/changes", "/api/events"].includes(one.path)) return;
      const { key } = yield* makeKey(world);
      const refused = yield* ask(world, one, { token: key });
      expect([refused.status, refused.code], one.name).toEqual([400, "account_required"]);
    }),
  );

  tried("refuses a key from another network [S10.2-7]", (world, one) =>
    Effect.gen(function* () {
      const { key } = yield* makeKey(world, { networks: ["192.0.2.0/24", "2001:db8::/32"] });
      const refused = yield* ask(world, one, { token: key, account: DEMO });
      expect([refused.status, refused.code], one.name).toEqual([403, "key_network_refused"]);
    }),
  );

  tried("refuses a key that has expired", (world, one) =>
    Effect.gen(function* () {
      const { key } = yield* makeKey(world, { expiresAt: new Date(world.now() + 1_000).toISOString() });
      yield* world.pass("1 second");
      const refused = yield* ask(world, one, { token: key, account: DEMO });
      expect([refused.status, refused.code], one.name).toEqual([401, "unauthorized"]);
    }),
  );

  tried("refuses a key that was just deleted, an unknown key and a wrong admin key [S10.2-2]", (world, one) =>
    Effect.gen(function* () {
      const { id, key } = yield* makeKey(world);
      expect((yield* asAdmin(world, "DELETE", `/api/keys/${id}`)).status).toBe(200);
      for (const token of [key, `psk_${"a".repeat(16)}_${"b".repeat(43)}`, "psk_", `${HARNESS_ADMIN_KEY}x`]) {
        const refused = yield* ask(world, one, { token, account: DEMO });
        expect([refused.status, refused.code], `${one.name} ${token}`).toEqual([401, "unauthorized"]);
      }
      yield* forget(world);
    }),
  );

  tried(
    "refuses the admin key unless the operation admits it, and a session on those that manage accounts or keys [S10.2-4] [S10.2-8] [S10.2-14]",
    (world, one) =>
      Effect.gen(function* () {
        const { token } = (yield* signIn(world)).body;
        const admitsAdmin = one.needed.some((scope) => scope === "admin" || scope.startsWith("accounts:"));
        const isOfAdmin = admitsAdmin && !one.isOfMailbox;
        const byAdmin = yield* ask(world, one, { token: HARNESS_ADMIN_KEY, account: DEMO });
        if (admitsAdmin) expect(REFUSED, one.name).not.toContain(byAdmin.status);
        else expect([byAdmin.status, byAdmin.code], one.name).toEqual([403, "insufficient_scope"]);
        const bySession = yield* ask(world, one, { token, account: DEMO });
        if (isOfAdmin) expect([bySession.status, bySession.code], one.name).toEqual([403, "insufficient_scope"]);
        else expect(REFUSED, one.name).not.toContain(bySession.status);
      }),
  );

  tried("refuses a session that names another account [S10.2-13]", (world, one) =>
    Effect.gen(function* () {
      if (!one.needed.includes("session") && !one.isOfMailbox) return;
      const { token } = (yield* signIn(world)).body;
      yield* signIn(world, "demo", "friend@postern.test");
      const refused = yield* ask(world, one, { token, account: "friend@postern.test" });
      expect([refused.status, refused.code], one.name).toEqual([404, "account_not_found"]);
    }),
  );
});
