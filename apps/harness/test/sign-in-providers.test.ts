import { assert, it } from "@effect/vitest";
import { type Harness, HARNESS_ADMIN_KEY, harness } from "@postern/harness";
import { Effect } from "effect";
import { describe } from "vitest";
import { call, signIn } from "./call.ts";

const addApp = (world: Harness, json: object) =>
  call(world, "POST", "/api/oauth/apps", { token: HARNESS_ADMIN_KEY, json: { clientId: "c", ...json } });

describe("the ways to sign in", () => {
  it.effect("are listed to everyone, without secrets, and narrowed to an address", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const providers = (query = "") => call(world, "GET", `/api/auth/providers${query}`);
      assert.deepStrictEqual((yield* providers()).body, { ok: true, data: [], nextCursor: null });
      yield* addApp(world, { id: "google", provider: "google", clientSecret: "hidden" });
      const issuer = "https://id.example";
      yield* addApp(world, { id: "corp", provider: "oidc", label: "Corp", issuer, domains: ["corp.example"] });
      yield* addApp(world, {
        id: "all",
        provider: "microsoft",
        mode: "application",
        clientSecret: "hidden",
        domains: ["corp.example"],
      });
      assert.deepStrictEqual((yield* providers()).body.data, [
        { id: "corp", provider: "oidc", label: "Corp" },
        { id: "google", provider: "google", label: "Google" },
      ]);
      const narrowed = yield* providers("?email=Ann%40corp.example");
      assert.deepStrictEqual(narrowed.body.data, [{ id: "corp", provider: "oidc", label: "Corp" }]);
      assert.strictEqual((yield* providers("?email=nowhere")).status, 400);
    }).pipe(Effect.scoped),
  );

  it.effect("are listed for the operator with the redirect URI to register [S11.1-5]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const { body } = yield* call(world, "GET", "/api/oauth/apps", { token: HARNESS_ADMIN_KEY });
      assert.strictEqual(body.redirectUri, "http://127.0.0.1:3000/oauth/callback");
    }).pipe(Effect.scoped),
  );
});

describe("the account of a session", () => {
  it.effect("says how it signs in, and what is wrong with it [S11.3-23] [S3.5-12]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const { token } = (yield* signIn(world)).body;
      const own = Effect.map(call(world, "GET", "/api/account", { token }), ({ body }) => body.data);
      const email = "demo@postern.test";
      const auth = { kind: "password", provider: null };
      assert.deepStrictEqual(yield* own, {
        email,
        state: "active",
        reason: null,
        auth,
        follow: "inbox",
        following: null,
      });
      world.mail.addAccount(email, "changed");
      yield* call(world, "GET", "/api/folders", { token });
      const { state, reason } = yield* own;
      assert.deepStrictEqual([state, reason.code], ["needs_reauth", "auth_refused"]);
      assert.strictEqual((yield* call(world, "GET", "/api/account")).status, 401);
    }).pipe(Effect.scoped),
  );
});
