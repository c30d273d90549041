import { it } from "@effect/vitest";
import { harness, type Harness, HARNESS_URL } from "@postern/harness";
import { Effect } from "effect";
import { describe, expect } from "vitest";
import { type Carried, call, signIn } from "./call.ts";

const refresh = (world: Harness, refreshToken: string) =>
  call(world, "POST", "/api/auth/refresh", { json: { refreshToken } });

const statusOf = (world: Harness, carried: Carried) =>
  Effect.map(call(world, "GET", "/api/auth/session", carried), ({ status }) => status);

const codeOf = ({ body }: { readonly body: { readonly code?: string } }) => body.code;

/** Signs in as a browser; returns the cookie that it sends. */
const signInAsBrowser = Effect.fnUntraced(function* (world: Harness) {
  const answer = yield* call(world, "POST", "/api/auth/login", {
    json: { email: "demo@postern.test", password: "demo" },
  });
  const set = answer.headers.get("set-cookie") ?? "";
  return { ...answer, set, cookie: set.split(";", 1)[0]! };
});

const OWN_PAGE = { "sec-fetch-site": "same-origin" };

describe("refreshing", () => {
  it.live("returns a working pair that replaces the previous one [S3.3-1]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const first = (yield* signIn(world)).body;
      yield* world.pass("59 minutes");
      const second = yield* refresh(world, first.refreshToken);
      expect(second).toMatchObject({ status: 200, body: { ok: true, expiresIn: 3600 } });
      expect(second.body.refreshToken).not.toBe(first.refreshToken);
      yield* world.pass("2 minutes");
      expect(yield* statusOf(world, { token: first.token })).toBe(401);
      expect(yield* statusOf(world, { token: second.body.token })).toBe(200);
    }).pipe(Effect.scoped),
  );

  it.live("returns the same successor to a repeat within 30 seconds, and ends the session after that [S3.3-5]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const first = (yield* signIn(world)).body;
      const second = (yield* refresh(world, first.refreshToken)).body;
      yield* world.pass("30 seconds");
      const again = (yield* refresh(world, first.refreshToken)).body;
      expect(again.refreshToken).toBe(second.refreshToken);
      expect(again.token).not.toBe(second.token);
      yield* world.pass("1 second");
      const late = yield* refresh(world, first.refreshToken);
      expect([late.status, codeOf(late)]).toEqual([401, "refresh_reused"]);
      expect((yield* refresh(world, second.refreshToken)).status).toBe(401);
      expect(yield* statusOf(world, { token: second.token })).toBe(401);
    }).pipe(Effect.scoped),
  );

  it.live("ends the session if a token is repeated after its successor was used [S3.3-6]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const first = (yield* signIn(world)).body;
      const second = (yield* refresh(world, first.refreshToken)).body;
      const third = (yield* refresh(world, second.refreshToken)).body;
      expect(codeOf(yield* refresh(world, first.refreshToken))).toBe("refresh_reused");
      expect(codeOf(yield* refresh(world, third.refreshToken))).toBe("unauthorized");
    }).pipe(Effect.scoped),
  );

  it.live("returns one successor to fifty concurrent requests [S3.3-3]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const { refreshToken } = (yield* signIn(world)).body;
      const answers = yield* Effect.all(
        Array.from({ length: 50 }, () => refresh(world, refreshToken)),
        { concurrency: "unbounded" },
      );
      expect(answers.every(({ status }) => status === 200)).toBe(true);
      const successors = new Set<string>(answers.map(({ body }) => body.refreshToken));
      expect(successors.size).toBe(1);
      expect((yield* refresh(world, [...successors][0]!)).status).toBe(200);
    }).pipe(Effect.scoped),
  );

  it.live("refuses access tokens, malformed tokens and tokens of an expired session", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const { token, refreshToken } = (yield* signIn(world)).body;
      expect((yield* refresh(world, token)).status).toBe(401);
      expect((yield* refresh(world, "a.b.c")).status).toBe(401);
      expect((yield* refresh(world, "")).status).toBe(400);
      expect(yield* statusOf(world, { token: refreshToken })).toBe(401);
      yield* world.pass("31 days");
      expect((yield* refresh(world, refreshToken)).status).toBe(401);
    }).pipe(Effect.scoped),
  );

  it.live("works for 90 days in all [S3.3-2]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      let { refreshToken } = (yield* signIn(world)).body;
      for (let day = 0; day < 89; day += 20) {
        ({ refreshToken } = (yield* refresh(world, refreshToken)).body);
        yield* world.pass("20 days");
      }
      expect((yield* refresh(world, refreshToken)).status).toBe(401);
    }).pipe(Effect.scoped),
  );
});

describe("a browser session", () => {
  it.live("uses a cookie that scripts and other sites cannot use [S3.5-2]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const { status, body, set, cookie } = yield* signInAsBrowser(world);
      expect(status).toBe(200);
      expect(body).toMatchObject({ ok: true, data: { kind: "cookie", email: "demo@postern.test", current: true } });
      expect(set).toMatch(/^session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/);
      expect(yield* statusOf(world, { cookie })).toBe(200);
      expect(yield* statusOf(world, { cookie: `${cookie}x` })).toBe(401);
    }).pipe(Effect.scoped),
  );

  it.live("ends after a day without use, or after 30 days [S3.5-3]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const idle = yield* signInAsBrowser(world);
      const { cookie } = yield* signInAsBrowser(world);
      for (let hours = 0; hours < 30 * 24; hours += 20) {
        expect(yield* statusOf(world, { cookie })).toBe(200);
        yield* world.pass("20 hours");
        if (hours === 0) expect(yield* statusOf(world, { cookie: idle.cookie })).toBe(200);
        if (hours === 40) expect(yield* statusOf(world, { cookie: idle.cookie })).toBe(401);
      }
      expect(yield* statusOf(world, { cookie })).toBe(401);
    }).pipe(Effect.scoped),
  );

  const logout = (world: Harness, carried: Carried) => call(world, "POST", "/api/auth/logout", carried);

  it.live("refuses changes from a page of another site before any other check [S3.4-2] [S3.5-7]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const { cookie } = yield* signInAsBrowser(world);
      const foreign: ReadonlyArray<Record<string, string>> = [
        {},
        { "sec-fetch-site": "cross-site", origin: "https://evil.test" },
        { "sec-fetch-site": "same-site", origin: `${HARNESS_URL.origin}0` },
        { "sec-fetch-site": "none" },
        { origin: "null" },
      ];
      for (const headers of foreign) {
        const answer = yield* logout(world, { cookie, headers });
        expect([answer.status, codeOf(answer)]).toEqual([403, "cross_site_request"]);
        expect((yield* call(world, "DELETE", "/no/such/path", { cookie, headers })).status).toBe(403);
      }
      expect(yield* statusOf(world, { cookie, headers: { "sec-fetch-site": "cross-site" } })).toBe(200);
      const out = yield* logout(world, { cookie, headers: { origin: HARNESS_URL.origin } });
      expect(out).toMatchObject({ status: 200, body: { ok: true } });
      expect(out.headers.get("set-cookie")).toMatch(/^session=; Max-Age=0;/);
      expect(yield* statusOf(world, { cookie })).toBe(401);
    }).pipe(Effect.scoped),
  );

  it.live("refuses a cookie together with a token [S3.5-9]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const { cookie } = yield* signInAsBrowser(world);
      const { token } = (yield* signIn(world)).body;
      const answer = yield* call(world, "GET", "/api/auth/session", { cookie, token, headers: OWN_PAGE });
      expect([answer.status, codeOf(answer)]).toEqual([400, "two_credentials"]);
      expect(yield* statusOf(world, { token, cookie: "theme=dark" })).toBe(200);
    }).pipe(Effect.scoped),
  );
});

describe("the sessions of an account", () => {
  it.live("are listed and ended one by one; those of other accounts are not found [S3.5-11] [S2.3-3]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const own = (yield* signIn(world)).body;
      yield* world.pass("1 minute");
      const browser = yield* signInAsBrowser(world);
      const friend = (yield* signIn(world, "demo", "friend@postern.test")).body;

      const list = (yield* call(world, "GET", "/api/auth/sessions", { token: own.token })).body;
      expect(list).toMatchObject({ ok: true, nextCursor: null });
      expect(list.data.map(({ kind, current }: any) => [kind, current])).toEqual([
        ["cookie", false],
        ["bearer", true],
      ]);
      const path = `/api/auth/sessions/${list.data[0].id}`;
      expect(codeOf(yield* call(world, "DELETE", path, { token: friend.token }))).toBe("session_not_found");
      expect(yield* statusOf(world, { cookie: browser.cookie })).toBe(200);
      expect((yield* call(world, "DELETE", path, { token: own.token })).body).toEqual({
        ok: true,
        data: { id: list.data[0].id, deleted: true },
      });
      expect(yield* statusOf(world, { cookie: browser.cookie })).toBe(401);
      expect((yield* call(world, "DELETE", path, { token: own.token })).status).toBe(404);
    }).pipe(Effect.scoped),
  );

  it.live("end by logout, with their refresh tokens [S3.4-1]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const { token, refreshToken } = (yield* signIn(world)).body;
      expect(yield* call(world, "POST", "/api/auth/logout", { token })).toMatchObject({
        status: 200,
        body: { ok: true },
      });
      expect(yield* statusOf(world, { token })).toBe(401);
      expect((yield* refresh(world, refreshToken)).status).toBe(401);
      expect((yield* call(world, "POST", "/api/auth/logout", { token })).status).toBe(401);
    }).pipe(Effect.scoped),
  );

  it.live("all end when the account is erased, which can then sign in again [S3.7-7]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const { token, refreshToken } = (yield* signIn(world)).body;
      const { cookie } = yield* signInAsBrowser(world);
      expect(yield* call(world, "DELETE", "/api/account", { token })).toMatchObject({
        status: 200,
        body: { ok: true, data: { email: "demo@postern.test" } },
      });
      expect(yield* statusOf(world, { token })).toBe(401);
      expect(yield* statusOf(world, { cookie })).toBe(401);
      expect((yield* refresh(world, refreshToken)).status).toBe(401);
      expect((yield* signIn(world)).status).toBe(200);
    }).pipe(Effect.scoped),
  );
});

describe("failed sign-ins", () => {
  it.live("lock the sign-in for 15 minutes after five, even with the right password [S3.2-3]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      for (let n = 0; n < 5; n++) {
        expect((yield* signIn(world, `wrong ${n}`)).status).toBe(401);
        yield* world.pass("1 minute");
      }
      const refused = yield* signIn(world);
      expect([refused.status, codeOf(refused)]).toEqual([429, "too_many_attempts"]);
      expect(refused.headers.get("retry-after")).toBe("600");
      yield* world.pass("599 seconds");
      expect((yield* signIn(world)).status).toBe(429);
      yield* world.pass("1 second");
      expect((yield* signIn(world)).status).toBe(200);
    }).pipe(Effect.scoped),
  );
});
