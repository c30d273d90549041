import { it } from "@effect/vitest";
import { type Harness, HARNESS_ADMIN_KEY } from "@postern/harness";
import { Effect, type Scope } from "effect";
import { describe, expect } from "vitest";
import { call, signIn } from "./call.ts";
import { makeKey } from "./key-world.ts";

const DEMO = "demo@postern.test";
const FRIEND = { email: "friend@postern.test", password: "demo" };

/** What each POST makes: its body, another body, and the field that is shown once. */
export const CREATIONS = [
  {
    path: "/api/settings/webhooks",
    body: { url: "https://a.example.com/", events: ["email.sent"] },
    other: { url: "https://b.example.com/", events: ["email.sent"] },
    secret: "secret",
  },
  { path: "/api/settings/folders", body: { name: "Bills" }, other: { name: "Notes" } },
  { path: "/api/drafts", body: { subject: "one", text: "x" }, other: { subject: "two", text: "x" } },
  {
    path: "/api/identities",
    body: { name: "Alias", address: "alias@postern.test" },
    other: { name: "Alias", address: "b@postern.test" },
  },
  {
    path: "/api/keys",
    body: { name: "key", scopes: ["mail:read"] },
    other: { name: "b", scopes: ["mail:read"] },
    secret: "key",
    admin: true,
  },
  {
    path: "/api/oauth/apps",
    body: { id: "own", provider: "google", clientId: "a", clientSecret: "s" },
    other: { id: "other", provider: "google", clientId: "a" },
    admin: true,
  },
  {
    path: "/api/oauth/clients",
    body: { name: "Own", redirectUris: ["https://a.example/cb"] },
    other: { name: "Other", redirectUris: ["https://b.example/cb"] },
    admin: true,
  },
] as const;

/** What has no list: cases below and in the suites of uploads and webhooks try these. */
export const OTHER_CREATIONS = [
  "POST /api/accounts",
  "POST /api/accounts/connect",
  "POST /api/uploads",
  "POST /api/settings/webhooks/{id}/deliveries/{deliveryId}/resend",
  "POST /api/settings/webhooks/{id}/replay",
];

type Creation = (typeof CREATIONS)[number];

/** Suites of what a repeated creation answers, on the stores of this service. */
export const repeatedCreations = (where: string, service: Effect.Effect<Harness, unknown, Scope.Scope>) => {
  const world = Effect.gen(function* () {
    const made = yield* service;
    const token: string = (yield* signIn(made)).body.token;
    const tokenOf = (creation: Creation) => ("admin" in creation ? HARNESS_ADMIN_KEY : token);
    const post = (creation: Creation, key: string, json: unknown = creation.body, by = tokenOf(creation)) =>
      call(made, "POST", creation.path, { token: by, json, headers: { "idempotency-key": key } });
    const listed = (creation: Creation) =>
      Effect.map(
        call(made, "GET", creation.path, { token: tokenOf(creation) }),
        ({ body }) => body.data.length as number,
      );
    return { made, token, post, listed };
  });

  describe(`a repeated creation, ${where}`, () => {
    it.live.each(CREATIONS)("gets the result of the first request: POST $path [S2.6-3] [S2.6-4] [S2.6-6]", (creation) =>
      Effect.gen(function* () {
        const { post, listed } = yield* world;
        const before = yield* listed(creation);
        const first = yield* post(creation, "k");
        expect(first.status).toBe(200);
        if ("secret" in creation) expect(first.body.data[creation.secret]).toMatch(/^\w+_/);
        const again = yield* post(creation, "k", Object.fromEntries(Object.entries(creation.body).toReversed()));
        const shownOnce = "secret" in creation ? { [creation.secret]: null } : {};
        expect([again.status, again.body]).toEqual([200, { ok: true, data: { ...first.body.data, ...shownOnce } }]);
        expect(yield* listed(creation)).toBe(before + 1);
        const other = yield* post(creation, "k", creation.other);
        expect([other.status, other.body.code]).toEqual([422, "idempotency_key_reused"]);
        expect((yield* post(creation, "another", creation.other)).status).toBe(200);
        expect(yield* listed(creation)).toBe(before + 2);
      }).pipe(Effect.scoped),
    );

    it.live.each(CREATIONS)("creates one record for concurrent requests: POST $path [S2.6-8]", (creation) =>
      Effect.gen(function* () {
        const { post, listed } = yield* world;
        const before = yield* listed(creation);
        const all = yield* Effect.forEach(Array.from({ length: 4 }), () => post(creation, "k"), {
          concurrency: "unbounded",
        });
        const made = all.filter(({ status }) => status === 200);
        expect(new Set(made.map(({ body }) => body.data.id)).size).toBe(1);
        for (const { body, headers } of all.filter(({ status }) => status !== 200)) {
          expect([body.code, headers.get("retry-after")]).toEqual(["creation_in_progress", "5"]);
        }
        expect(yield* listed(creation)).toBe(before + 1);
      }).pipe(Effect.scoped),
    );

    it.live("is known by the caller and the account [S2.6-5]", () =>
      Effect.gen(function* () {
        const { made, post, token } = yield* world;
        const [webhooks] = CREATIONS;
        const friend: string = (yield* signIn(made, FRIEND.password, FRIEND.email)).body.token;
        const { key } = yield* makeKey(made);
        const headers = { "idempotency-key": "k" };
        const ofKey = (account: object) =>
          call(made, "POST", webhooks.path, { token: key, json: webhooks.body, headers: { ...headers, ...account } });
        const answers = [
          yield* post(webhooks, "k", webhooks.body, token),
          yield* post(webhooks, "k", webhooks.body, friend),
          yield* ofKey({ "postern-account": DEMO }),
          yield* ofKey({ "postern-account": FRIEND.email }),
          yield* ofKey({}),
        ];
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
        expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(5);
      }).pipe(Effect.scoped),
    );

    it.live("adds an account once, and another field under the same key is another request", () =>
      Effect.gen(function* () {
        const { made } = yield* world;
        const { key } = yield* makeKey(made);
        const add = (json: object) =>
          call(made, "POST", "/api/accounts", { token: key, json, headers: { "idempotency-key": "k" } });
        const first = yield* add(FRIEND);
        expect(first.status).toBe(200);
        expect(yield* add(FRIEND)).toMatchObject({ status: 200, body: { data: { id: first.body.data.id } } });
        for (const other of [{ password: "other" }, { follow: "all" }, { tags: ["vip"] }, { name: "Al" }]) {
          expect((yield* add({ ...FRIEND, ...other })).body.code).toBe("idempotency_key_reused");
        }
        expect((yield* call(made, "POST", "/api/accounts", { token: key, json: FRIEND })).body.code).toBe(
          "account_exists",
        );
        // The key is erased with the account.
        yield* call(made, "DELETE", `/api/accounts/${first.body.data.id}`, { token: key });
        expect((yield* add(FRIEND)).status).toBe(200);
      }).pipe(Effect.scoped),
    );

    it.live("gets the same link again, until it expires [S2.6-3]", () =>
      Effect.gen(function* () {
        const { made } = yield* world;
        const { key } = yield* makeKey(made);
        const connect = (idempotencyKey: string, redirectUrl = "https://app.example/") =>
          call(made, "POST", "/api/accounts/connect", {
            token: key,
            json: { redirectUrl },
            headers: { "idempotency-key": idempotencyKey },
          });
        const { url } = (yield* connect("k")).body.data;
        expect((yield* connect("k")).body.data.url).toBe(url);
        expect((yield* connect("other")).body.data.url).not.toBe(url);
        expect((yield* connect("k", "https://b.example/")).body.code).toBe("idempotency_key_reused");
      }).pipe(Effect.scoped),
    );

    it.live(
      "is not made again once it was deleted, until the key expires or its account is erased [S2.6-7] [S2.6-11]",
      () =>
        Effect.gen(function* () {
          const { made, post, token } = yield* world;
          const [webhooks] = CREATIONS;
          const { id } = (yield* post(webhooks, "k")).body.data;
          yield* call(made, "DELETE", `${webhooks.path}/${id}`, { token });
          const gone = yield* post(webhooks, "k");
          expect([gone.status, gone.body.code, gone.body.detail]).toEqual([
            422,
            "idempotency_key_reused",
            expect.stringMatching(/deleted since/),
          ]);
          yield* call(made, "DELETE", "/api/account", { token });
          const back: string = (yield* signIn(made)).body.token;
          expect((yield* post(webhooks, "k", webhooks.body, back)).status).toBe(200);
        }).pipe(Effect.scoped),
    );

    it.live("uses no key up if the request is refused before it makes anything [S2.6-6] [S2.6-10]", () =>
      Effect.gen(function* () {
        const { post } = yield* world;
        const [webhooks, folders] = CREATIONS;
        expect((yield* post(webhooks, "k", { url: "http://x.test/", events: ["email.sent"] })).status).toBe(400);
        expect((yield* post(webhooks, "k")).status).toBe(200);
        expect((yield* post(folders, "f", { name: "a/b" })).status).toBe(400);
        expect((yield* post(folders, "f")).status).toBe(200);
        // A key serves for one operation.
        expect((yield* post(folders, "k")).body.code).toBe("idempotency_key_reused");
      }).pipe(Effect.scoped),
    );
  });
};
