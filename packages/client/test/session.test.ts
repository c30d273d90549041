import { assert, describe, it } from "@effect/vitest";
import { Effect, Fiber } from "effect";
import { FetchHttpClient } from "effect/http";
import { makeClient, type SessionTokens } from "../src/index.ts";

/** A service whose access tokens are good until told otherwise; it rotates refresh tokens and knows each once. */
const service = () => {
  let issued = 0;
  let good = new Set<string>();
  let refreshable = "";
  const seen = { refreshes: 0, listings: 0, authorizations: Array<string | null>() };
  const state = { refreshStatus: 200, hold: Promise.resolve(), code: "unauthorized", stillborn: false };
  const json = (status: number, body: unknown) =>
    new Response(JSON.stringify(body), {
      status,
      headers: { "content-type": status === 200 ? "application/json" : "application/problem+json" },
    });
  const problem = (status: number, code: string) =>
    json(status, { type: `urn:postern:problem:${code}`, title: code, status, ok: false, code, requestId: "r" });
  const pair = () => {
    issued++;
    good = new Set(state.stillborn ? [] : [`access${issued}`]);
    refreshable = `refresh${issued}`;
    return json(200, { ok: true, token: `access${issued}`, refreshToken: refreshable, expiresIn: 3600 });
  };
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const path = new URL(request.url).pathname;
    if (path === "/base/api/auth/mobile-login") return pair();
    if (path === "/base/api/auth/refresh") {
      seen.refreshes++;
      await state.hold;
      if (state.refreshStatus !== 200) return problem(state.refreshStatus, "refresh_reused");
      const { refreshToken } = (await request.json()) as { refreshToken: string };
      return refreshToken === refreshable ? pair() : problem(401, "refresh_reused");
    }
    seen.listings++;
    const authorization = request.headers.get("authorization");
    seen.authorizations.push(authorization);
    return good.has(authorization?.replace("Bearer ", "") ?? "")
      ? json(200, { ok: true, folders: [] })
      : problem(401, state.code);
  };
  const kept: Array<SessionTokens | null> = [];
  const client = Effect.provide(
    makeClient({ baseUrl: "http://postern.test/base/", onTokens: (tokens) => kept.push(tokens) }),
    FetchHttpClient.layer,
  );
  const run = <A, E>(effect: Effect.Effect<A, E>) => Effect.provideService(effect, FetchHttpClient.Fetch, fetch);
  return { client, run, seen, state, kept, expire: () => good.clear() };
};

describe("a client's session", () => {
  it.live("signs in and signs what follows", () => {
    const { client, run, seen, kept } = service();
    return run(
      Effect.gen(function* () {
        const postern = yield* client;
        assert.strictEqual((yield* Effect.flip(postern.folders.list()))._tag, "unauthorized");
        yield* postern.signIn("demo@postern.test", "demo");
        assert.deepStrictEqual(yield* postern.folders.list(), { ok: true, folders: [] });
        assert.deepStrictEqual(seen.authorizations, [null, "Bearer access1"]);
        assert.deepStrictEqual(kept, [{ token: "access1", refreshToken: "refresh1" }]);
        assert.strictEqual(seen.refreshes, 0);
      }),
    );
  });

  it.live("is refreshed once for many requests that find it run out at a time", () => {
    const { client, run, seen, kept, expire } = service();
    return run(
      Effect.gen(function* () {
        const postern = yield* client;
        yield* postern.signIn("demo@postern.test", "demo");
        for (const refreshes of [1, 2, 3]) {
          expire();
          yield* Effect.forEach(Array.from({ length: 20 }), () => postern.folders.list(), { concurrency: "unbounded" });
          assert.strictEqual(seen.refreshes, refreshes);
        }
        assert.deepStrictEqual(kept.at(-1), { token: "access4", refreshToken: "refresh4" });
      }),
    );
  });

  it.live("tries a request once more and not again", () => {
    const { client, run, seen, state, expire } = service();
    return run(
      Effect.gen(function* () {
        const postern = yield* client;
        yield* postern.signIn("demo@postern.test", "demo");
        state.stillborn = true;
        expire();
        const refused = yield* Effect.flip(postern.folders.list());
        assert.strictEqual(refused._tag, "unauthorized");
        assert.deepInclude(seen, { refreshes: 1, listings: 2 });
      }),
    );
  });

  it.live("is over when its refresh is refused", () => {
    const { client, run, seen, state, kept, expire } = service();
    return run(
      Effect.gen(function* () {
        const postern = yield* client;
        yield* postern.signIn("demo@postern.test", "demo");
        expire();
        state.refreshStatus = 401;
        assert.strictEqual((yield* Effect.flip(postern.folders.list()))._tag, "unauthorized");
        assert.isNull(kept.at(-1));
        yield* Effect.flip(postern.folders.list());
        assert.deepInclude(seen, { refreshes: 1, listings: 2 });
        assert.isNull(seen.authorizations.at(-1));
      }),
    );
  });

  it.live("is kept when its refresh fails for another reason", () => {
    const { client, run, state, kept, expire } = service();
    return run(
      Effect.gen(function* () {
        const postern = yield* client;
        yield* postern.signIn("demo@postern.test", "demo");
        expire();
        state.refreshStatus = 503;
        assert.strictEqual((yield* Effect.flip(postern.folders.list()))._tag, "unauthorized");
        assert.strictEqual(kept.length, 1);
        state.refreshStatus = 200;
        yield* postern.folders.list();
      }),
    );
  });

  it.live("is not refreshed where the mail server refused the password", () => {
    const { client, run, seen, state, expire } = service();
    return run(
      Effect.gen(function* () {
        const postern = yield* client;
        yield* postern.signIn("demo@postern.test", "demo");
        expire();
        state.code = "mailbox_credentials_rejected";
        assert.strictEqual((yield* Effect.flip(postern.folders.list()))._tag, "mailbox_credentials_rejected");
        assert.strictEqual(seen.refreshes, 0);
      }),
    );
  });

  it.live("gets its new tokens though the request that asked for them was given up", () => {
    const { client, run, seen, state, kept, expire } = service();
    return run(
      Effect.gen(function* () {
        const postern = yield* client;
        yield* postern.signIn("demo@postern.test", "demo");
        expire();
        let go = () => {};
        state.hold = new Promise((done) => (go = done));
        const asking = yield* Effect.forkChild(postern.folders.list());
        while (seen.refreshes === 0) yield* Effect.sleep("1 millis");
        yield* Fiber.interrupt(asking);
        go();
        while (kept.length < 2) yield* Effect.sleep("1 millis");
        yield* postern.folders.list();
        assert.strictEqual(seen.refreshes, 1);
      }),
    );
  });

  it.live("that was kept is used again", () => {
    const { run, seen } = service();
    return run(
      Effect.gen(function* () {
        const postern = yield* Effect.provide(
          makeClient({ baseUrl: "http://postern.test/base", tokens: { token: "kept", refreshToken: "old" } }),
          FetchHttpClient.layer,
        );
        yield* Effect.flip(postern.folders.list());
        assert.strictEqual(seen.authorizations[0], "Bearer kept");
      }),
    );
  });
});
