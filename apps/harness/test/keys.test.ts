import { it } from "@effect/vitest";
import { AccountId, OpaqueIds } from "@postern/core/shared";
import { SendQuotas } from "@postern/core/send";
import { harness, type Harness, HARNESS_START, HARNESS_URL, harnessWithStores } from "@postern/harness";
import { layer as nodeCrypto } from "@postern/node-crypto";
import { Context, Effect, Layer, Result } from "effect";
import { describe, expect } from "vitest";
import { call, signIn } from "./call.ts";
import { readEventStream } from "./event-stream.ts";
import { asAdmin, asKey, DEMO, makeKey } from "./key-world.ts";
import { sqliteStores } from "./sql-stores.ts";

const world = Effect.gen(function* () {
  const made = yield* harness;
  yield* signIn(made);
  return made;
});

const listed = (made: Harness) =>
  Effect.map(asAdmin(made, "GET", "/api/keys"), ({ body }) => body.data as ReadonlyArray<Record<string, unknown>>);

describe("a service key", () => {
  it.live("is shown once, and listed without its secret [S10.2-1]", () =>
    Effect.gen(function* () {
      const made = yield* world;
      const given = {
        name: "Backend",
        application: "crm",
        scopes: ["mail:read", "events"],
        accounts: ["*@Postern.Test", "tag:vip"],
        networks: ["192.0.2.0/24"],
        expiresAt: "2027-01-01T01:00:00+01:00",
        sendPerDay: 7,
        sendPolicy: { to: ["thread", "@y.test", "a@z.test"], perDay: 3, approval: "outside" },
        notify: "ops@postern.test",
      };
      const { body } = yield* asAdmin(made, "POST", "/api/keys", given);
      const { key, ...record } = body.data;
      expect(record).toEqual({
        ...given,
        id: expect.stringMatching(/^[\w-]{16}$/),
        version: expect.stringMatching(/^[\w-]{16}$/),
        accounts: ["*@postern.test", "tag:vip"],
        expiresAt: "2027-01-01T00:00:00.000Z",
        createdAt: new Date(HARNESS_START).toISOString(),
        lastUsedAt: null,
      });
      expect(key).toMatch(new RegExp(`^psk_${record.id}_[\\w-]{43}$`));
      expect(yield* listed(made)).toEqual([record]);
    }).pipe(Effect.scoped),
  );

  it.live("has an application of its own, all accounts and no limits unless they are given [S10.2-1]", () =>
    Effect.gen(function* () {
      const made = yield* world;
      const { id, application } = yield* makeKey(made);
      expect(application).toBe(id);
      expect((yield* listed(made))[0]).toMatchObject({
        accounts: null,
        networks: null,
        expiresAt: null,
        sendPerDay: null,
        notify: null,
      });
    }).pipe(Effect.scoped),
  );

  it.live("is not made of fields that cannot be used", () =>
    Effect.gen(function* () {
      const made = yield* world;
      const wrong = {
        accounts: ["a@b.test", "tag:", "*@", "acc_none", "*@ok.test"],
        networks: ["10.0.0.0/33", "host.test", "10.0.0.1"],
        expiresAt: new Date(HARNESS_START).toISOString(),
        notify: "nowhere",
      };
      const { status, body } = yield* asAdmin(made, "POST", "/api/keys", { name: "x", scopes: ["events"], ...wrong });
      const fields = body.errors.map(({ field }: { readonly field: string }) => field);
      expect([status, fields]).toEqual([
        400,
        ["accounts.0", "accounts.1", "accounts.2", "accounts.3", "networks.0", "networks.1", "expiresAt", "notify"],
      ]);
      for (const scopes of [[], ["no:such"], ["admin"], ["session"]]) {
        expect((yield* asAdmin(made, "POST", "/api/keys", { name: "x", scopes })).status).toBe(400);
      }
      expect(yield* listed(made)).toEqual([]);
    }).pipe(Effect.scoped),
  );

  it.live("reads a mailbox named by address or id, in any spelling of the address [S10.1-1] [S10.2-9]", () =>
    Effect.gen(function* () {
      const made = yield* world;
      const { key } = yield* makeKey(made, { scopes: ["mail:read"] });
      const bySession = yield* call(made, "GET", "/api/inbox", { token: (yield* signIn(made)).body.token });
      const { accountId } = yield* Effect.provide(OpaqueIds, nodeCrypto({ idKey: new Uint8Array(32) }));
      for (const account of [DEMO, "Demo@POSTERN.test", accountId(AccountId(DEMO))]) {
        const { status, body } = yield* asKey(made, key, "GET", "/api/inbox", { account });
        expect([status, body.emails]).toEqual([200, bySession.body.emails]);
      }
    }).pipe(Effect.scoped),
  );

  it.live("is used at a time that is written once a minute", () =>
    Effect.gen(function* () {
      const made = yield* world;
      const { key } = yield* makeKey(made);
      const useAfter = Effect.fnUntraced(function* (wait: "0 seconds" | "59 seconds" | "1 second") {
        yield* made.pass(wait);
        yield* asKey(made, key, "GET", "/api/folders");
        return Date.parse(String((yield* listed(made))[0]!["lastUsedAt"]));
      });
      const first = yield* useAfter("0 seconds");
      expect(first).toBe(made.now());
      expect(yield* useAfter("59 seconds")).toBe(first);
      expect(yield* useAfter("1 second")).toBe(made.now());
    }).pipe(Effect.scoped),
  );

  it.live("sends no more than its day allows, over all accounts [S10.2-19]", () =>
    Effect.gen(function* () {
      const made = yield* world;
      yield* signIn(made, "demo", "friend@postern.test");
      const { key } = yield* makeKey(made, { sendPerDay: 2 });
      const mail = { to: "x@postern.test", subject: "x", text: "x" };
      const send = (account: string) => asKey(made, key, "POST", "/api/send", { account, json: mail });
      expect((yield* send(DEMO)).status).toBe(200);
      expect((yield* send("friend@postern.test")).status).toBe(200);
      const third = yield* send(DEMO);
      expect([third.status, third.body.code]).toEqual([429, "send_rate_exceeded"]);
      expect(third.body.detail).toContain("2 messages a day");
      expect(third.headers.get("ratelimit-policy")).toBe('"key";q=2;w=86400');
      const other = yield* makeKey(made, { sendPerDay: 2 });
      expect((yield* asKey(made, other.key, "POST", "/api/send", { json: mail })).status).toBe(200);
      yield* made.pass("24 hours");
      expect((yield* send(DEMO)).status).toBe(200);
    }).pipe(Effect.scoped),
  );

  it.live("gets 409 if the mail server refuses the stored password, and a session 401 [S10.2-17]", () =>
    Effect.gen(function* () {
      const made = yield* world;
      const { token } = (yield* signIn(made)).body;
      const { key } = yield* makeKey(made);
      made.mail.addAccount(DEMO, "changed");
      const codes = Effect.fnUntraced(function* () {
        const answers = [
          yield* asKey(made, key, "GET", "/api/folders"),
          yield* call(made, "GET", "/api/folders", { token }),
        ];
        return answers.map(({ status, body }) => [status, body.code]);
      });
      const refused = [
        [409, "account_needs_reauth"],
        [401, "mailbox_credentials_rejected"],
      ];
      // The first answer is that of the mail server, the second that of the account's state.
      expect(yield* codes()).toEqual(refused);
      expect(yield* codes()).toEqual(refused);
    }).pipe(Effect.scoped),
  );

  it.live.each([
    { end: "its deletion", path: ({ id }: { readonly id: string }) => `/api/keys/${id}`, isOfKey: true },
    { end: "the erasure of the account", path: () => "/api/account", isOfKey: false },
  ])("opens a stream of events, which ends within a second of $end [S10.2-15] [S10.3-28]", ({ path, isOfKey }) =>
    Effect.gen(function* () {
      const made = yield* world;
      const key = yield* makeKey(made, { scopes: ["events"] });
      const { token } = (yield* signIn(made)).body;
      const headers = { authorization: `Bearer ${key.key}`, "postern-account": DEMO };
      const response = yield* made.request(new Request(new URL("/api/events", HARNESS_URL), { headers }));
      expect(response.status).toBe(200);
      const stream = readEventStream(response);
      const inbox = made.mail.account(AccountId(DEMO)).mailbox("INBOX");
      inbox.append(new TextEncoder().encode("Subject: To a key\r\n\r\nHi.\r\n"), HARNESS_START);
      expect(yield* Effect.promise(() => stream.next())).toMatchObject({ data: { data: { subject: "To a key" } } });
      yield* made.pass("10 seconds");
      const ended = isOfKey ? asAdmin(made, "DELETE", path(key)) : call(made, "DELETE", path(key), { token });
      expect((yield* ended).status).toBe(200);
      yield* made.pass("1 second");
      expect(yield* Effect.promise(() => stream.next())).toBeUndefined();
    }).pipe(Effect.scoped),
  );
});

describe("deleting", () => {
  const statusOf = (made: Harness, key: string) =>
    Effect.map(asKey(made, key, "GET", "/api/folders"), ({ status }) => status);

  it.live("ends one key, and an application all of its keys [S10.2-3]", () =>
    Effect.gen(function* () {
      const made = yield* world;
      const [one, two, three, other] = yield* Effect.all([
        makeKey(made, { application: "crm & co" }),
        makeKey(made, { application: "crm & co" }),
        makeKey(made, { application: "crm & co" }),
        makeKey(made),
      ]);
      expect((yield* asAdmin(made, "DELETE", `/api/keys/${one.id}`)).body.data).toMatchObject({
        id: one.id,
        deleted: true,
      });
      expect((yield* asAdmin(made, "DELETE", `/api/keys/${one.id}`)).body.code).toBe("key_not_found");
      expect([yield* statusOf(made, one.key), yield* statusOf(made, two.key)]).toEqual([401, 200]);
      const ended = yield* asAdmin(made, "DELETE", "/api/applications/crm%20%26%20co");
      expect(ended.body.data).toMatchObject({ name: "crm & co", keys: expect.arrayContaining([two.id, three.id]) });
      expect((yield* asAdmin(made, "DELETE", "/api/applications/crm%20%26%20co")).body.code).toBe(
        "application_not_found",
      );
      expect([yield* statusOf(made, two.key), yield* statusOf(made, three.key)]).toEqual([401, 401]);
      expect(yield* statusOf(made, other.key)).toBe(200);
    }).pipe(Effect.scoped),
  );
});

it.live("a deleted key leaves no count of its messages behind", () =>
  Effect.gen(function* () {
    const stores = yield* Layer.build(Layer.orDie(sqliteStores));
    const made = yield* harnessWithStores(Layer.succeedContext(stores));
    yield* signIn(made);
    const sentBy = (id: string) =>
      Effect.map(Context.get(stores, SendQuotas).modify(id, Result.succeed), ({ day }) => day.used);
    for (const end of [({ id }: { id: string }) => `/api/keys/${id}`, () => "/api/applications/crm"]) {
      const key = yield* makeKey(made, { application: "crm", sendPerDay: 5 });
      const mail = { to: "x@postern.test", subject: "x", text: "x" };
      expect((yield* asKey(made, key.key, "POST", "/api/send", { json: mail })).status).toBe(200);
      expect(yield* sentBy(key.id)).toBe(1);
      expect((yield* asAdmin(made, "DELETE", end(key))).status).toBe(200);
      expect(yield* sentBy(key.id)).toBe(0);
    }
  }).pipe(Effect.scoped),
);

describe("wrong keys", () => {
  it.live("are 429 from the eleventh in 15 minutes, and never refuse a right one [S10.2-6]", () =>
    Effect.gen(function* () {
      const made = yield* world;
      const { key } = yield* makeKey(made);
      const { token } = (yield* signIn(made)).body;
      const wrong = (text: string) => call(made, "GET", "/api/keys", { token: text });
      for (let n = 0; n < 5; n++) {
        expect((yield* wrong(`psk_${String(n).padStart(16, "0")}_${"x".repeat(43)}`)).status).toBe(401);
        expect((yield* wrong(`guess ${n} of an admin key${"x".repeat(20)}`.replaceAll(" ", "-"))).status).toBe(401);
      }
      const throttled = yield* wrong(`${key}x`);
      expect([throttled.status, throttled.body.code]).toEqual([429, "too_many_wrong_keys"]);
      expect(throttled.headers.get("retry-after")).toBe("900");
      expect((yield* asKey(made, key, "GET", "/api/folders")).status).toBe(200);
      expect((yield* asAdmin(made, "GET", "/api/keys")).status).toBe(200);
      expect((yield* call(made, "GET", "/api/folders", { token })).status).toBe(200);
      // Neither can be a guess of a key: it is too short, or the token of a session.
      for (const text of ["undefined", "", `${token.slice(0, -3)}AAA`]) expect((yield* wrong(text)).status).toBe(401);
      yield* made.pass("15 minutes");
      expect((yield* wrong(`${key}x`)).status).toBe(401);
    }).pipe(Effect.scoped),
  );
});

describe("a key in the query", () => {
  it.live("is not read [S10.2-5]", () =>
    Effect.gen(function* () {
      const made = yield* world;
      const { key } = yield* makeKey(made);
      for (const name of ["access_token", "key", "token", "authorization"]) {
        const { status } = yield* call(made, "GET", `/api/folders?${name}=${key}`, {
          headers: { "postern-account": DEMO },
        });
        expect(status).toBe(401);
      }
    }).pipe(Effect.scoped),
  );
});
