import { it } from "@effect/vitest";
import { harness, type Harness } from "@postern/harness";
import { Effect } from "effect";
import { describe, expect } from "vitest";
import { type Carried, call, signIn } from "./call.ts";

const DEMO = "demo@postern.test";
const FRIEND = "friend@postern.test";
const OWN_PAGE = { "sec-fetch-site": "same-origin" };

const pairOf = (set: string): string => set.split(";", 1)[0]!;

/** Signs in as a browser that names the account of each request. */
const add = Effect.fnUntraced(function* (world: Harness, email: string, cookie?: string) {
  const answer = yield* call(world, "POST", "/api/auth/login", {
    json: { email, password: "demo" },
    headers: { ...OWN_PAGE, "postern-account": email },
    ...(cookie === undefined ? {} : { cookie }),
  });
  expect(answer.status).toBe(200);
  return pairOf(answer.headers.get("set-cookie")!);
});

const session = Effect.fnUntraced(function* (world: Harness, cookie: string, named?: string) {
  const headers: Record<string, string> = named === undefined ? {} : { "postern-account": named };
  const { status, body } = yield* call(world, "GET", "/api/auth/session", { cookie, headers });
  return status === 200 ? (body.data.email as string) : status;
});

/** A browser with two accounts. */
const both = Effect.fnUntraced(function* (world: Harness) {
  const first = yield* add(world, DEMO);
  return [first, yield* add(world, FRIEND, first)] as const;
});

describe("a browser with several accounts", () => {
  it.live("has a cookie for each, which the header of a request selects [S3.5-15]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const [demo, friend] = yield* both(world);
      expect([demo, friend].map((pair) => /^session-[\w-]{16}=[\w-]{43}$/.test(pair))).toEqual([true, true]);
      const cookies = `${demo}; ${friend}`;
      expect(yield* session(world, cookies, DEMO)).toBe(DEMO);
      expect(yield* session(world, cookies, FRIEND.toUpperCase())).toBe(FRIEND);
      expect(yield* session(world, cookies, "nobody@postern.test")).toBe(401);
      expect(yield* session(world, cookies)).toBe(401);
      // A cookie under the name of another account is not accepted for it.
      const swapped = `${demo.split("=")[0]}=${friend.split("=")[1]}`;
      expect(yield* session(world, swapped, DEMO)).toBe(404);
    }).pipe(Effect.scoped),
  );

  it.live("uses the cookie of a sign-in without the header for its account alone [S3.5-15] [S10.2-13]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const login = yield* call(world, "POST", "/api/auth/login", { json: { email: DEMO, password: "demo" } });
      const plain = pairOf(login.headers.get("set-cookie")!);
      const cookies = `${plain}; ${yield* add(world, FRIEND, plain)}`;
      expect(yield* session(world, cookies)).toBe(DEMO);
      expect(yield* session(world, cookies, DEMO)).toBe(DEMO);
      expect(yield* session(world, cookies, FRIEND)).toBe(FRIEND);
      expect(yield* session(world, plain, FRIEND)).toBe(404);
    }).pipe(Effect.scoped),
  );

  it.live("needs a page of the service for each change, whichever cookie it has [S3.5-7]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const [demo] = yield* both(world);
      const out = yield* call(world, "POST", "/api/auth/logout", {
        cookie: demo,
        headers: { "postern-account": DEMO, "sec-fetch-site": "cross-site" },
      });
      expect([out.status, out.body.code]).toEqual([403, "cross_site_request"]);
      const { token } = (yield* signIn(world)).body;
      const twice = yield* call(world, "GET", "/api/auth/session", { cookie: demo, token, headers: OWN_PAGE });
      expect([twice.status, twice.body.code]).toEqual([400, "two_credentials"]);
      // The cookie of another program on this machine is not a session.
      expect((yield* call(world, "GET", "/api/auth/session", { cookie: "session-id=1", token })).status).toBe(200);
    }).pipe(Effect.scoped),
  );

  it.live("signs out of one account, and stays signed in to the other [S3.5-15]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const [demo, friend] = yield* both(world);
      const cookies = `${demo}; ${friend}`;
      const headers = { ...OWN_PAGE, "postern-account": FRIEND };
      const out = yield* call(world, "POST", "/api/auth/logout", { cookie: cookies, headers });
      expect(out.headers.get("set-cookie")).toMatch(new RegExp(`^${friend.split("=")[0]}=; Max-Age=0;`));
      expect(yield* session(world, cookies, FRIEND)).toBe(401);
      expect(yield* session(world, cookies, DEMO)).toBe(DEMO);
    }).pipe(Effect.scoped),
  );

  it.live("names the account in the query of a GET, where a browser sends no header [S3.5-16]", () =>
    Effect.gen(function* () {
      const world = yield* harness;
      const [demo, friend] = yield* both(world);
      const cookie = `${demo}; ${friend}`;
      const named = `postern-account=${encodeURIComponent(FRIEND)}`;
      const ask = (path: string, carried: Carried = { cookie }) => call(world, "GET", path, carried);
      expect((yield* ask(`/api/auth/session?${named}`)).body.data.email).toBe(FRIEND);
      const inbox = yield* ask(`/api/inbox?limit=1&${named}`);
      const { id } = inbox.body.emails[0];
      expect((yield* ask(`/api/messages/${id}?${named}`)).status).toBe(200);
      expect((yield* ask(`/api/messages/${id}?postern-account=${encodeURIComponent(DEMO)}`)).status).toBe(404);
      const { token } = (yield* signIn(world)).body;
      expect((yield* ask(`/api/inbox?${named}`, { token })).status).toBe(400);
    }).pipe(Effect.scoped),
  );
});
