import { expect, it } from "vitest";
import { type ApiProblem, createClient, type SessionTokens } from "../src/index.ts";

/** A service whose access tokens work until a test ends them. It rotates refresh tokens, and accepts each once. */
const service = (tokens?: SessionTokens) => {
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
  const onTokens = (pair: SessionTokens | null) => kept.push(pair);
  const postern = createClient({ baseUrl: "http://postern.test/base/", tokens, onTokens, fetch, retries: 0 });
  return { postern, seen, state, kept, expire: () => good.clear() };
};

const signedIn = async () => {
  const world = service();
  await world.postern.signIn("demo@postern.test", "demo");
  return world;
};

const codeOf = (asking: Promise<unknown>): Promise<string> =>
  asking.then(
    () => "none",
    (problem: ApiProblem) => problem.code,
  );

it("signs in, signs later requests, and drops its tokens at the end", async () => {
  const { postern, seen, kept } = service();
  expect(await codeOf(postern("GET /api/folders"))).toBe("unauthorized");
  await postern.signIn("demo@postern.test", "demo");
  expect(await postern("GET /api/folders")).toEqual({ ok: true, folders: [] });
  expect(seen.authorizations).toEqual([null, "Bearer access1"]);
  expect(kept).toEqual([{ token: "access1", refreshToken: "refresh1" }]);
  expect(seen.refreshes).toBe(0);
  await postern.signOut();
  expect(kept.at(-1)).toBeNull();
  expect(await codeOf(postern("GET /api/folders"))).toBe("unauthorized");
});

it("refreshes once for many concurrent requests with an expired token", async () => {
  const { postern, seen, kept, expire } = await signedIn();
  for (const refreshes of [1, 2, 3]) {
    expire();
    await Promise.all(Array.from({ length: 20 }, () => postern("GET /api/folders")));
    expect(seen.refreshes).toBe(refreshes);
  }
  expect(kept.at(-1)).toEqual({ token: "access4", refreshToken: "refresh4" });
});

it("sends a request once more after a refresh and not again", async () => {
  const { postern, seen, state, expire } = await signedIn();
  state.stillborn = true;
  expire();
  expect(await codeOf(postern("GET /api/folders"))).toBe("unauthorized");
  expect(seen).toMatchObject({ refreshes: 1, listings: 2 });
});

it("ends the session when its refresh is refused", async () => {
  const { postern, seen, state, kept, expire } = await signedIn();
  expire();
  state.refreshStatus = 401;
  expect(await codeOf(postern("GET /api/folders"))).toBe("unauthorized");
  expect(kept.at(-1)).toBeNull();
  await codeOf(postern("GET /api/folders"));
  expect(seen).toMatchObject({ refreshes: 1, listings: 2 });
  expect(seen.authorizations.at(-1)).toBeNull();
});

it("keeps the session when its refresh fails for another reason", async () => {
  const { postern, state, kept, expire } = await signedIn();
  expire();
  state.refreshStatus = 503;
  expect(await codeOf(postern("GET /api/folders"))).toBe("unauthorized");
  expect(kept).toHaveLength(1);
  state.refreshStatus = 200;
  await postern("GET /api/folders");
});

it("does not refresh where the mail server refused the password", async () => {
  const { postern, seen, state, expire } = await signedIn();
  expire();
  state.code = "mailbox_credentials_rejected";
  expect(await codeOf(postern("GET /api/folders"))).toBe("mailbox_credentials_rejected");
  expect(seen.refreshes).toBe(0);
});

it("gets new tokens although the request that caused the refresh was aborted", async () => {
  const { postern, seen, state, kept, expire } = await signedIn();
  expire();
  let go = () => {};
  state.hold = new Promise((done) => (go = done));
  const abort = new AbortController();
  const asking = postern("GET /api/folders", { signal: abort.signal });
  while (seen.refreshes === 0) await new Promise((done) => setTimeout(done, 1));
  abort.abort(new Error("given up"));
  await expect(asking).rejects.toThrow("given up");
  go();
  while (kept.length < 2) await new Promise((done) => setTimeout(done, 1));
  await postern("GET /api/folders");
  expect(seen.refreshes).toBe(1);
});

it("uses stored tokens", async () => {
  const { postern, seen } = service({ token: "kept", refreshToken: "old" });
  await codeOf(postern("GET /api/folders"));
  expect(seen.authorizations[0]).toBe("Bearer kept");
});
