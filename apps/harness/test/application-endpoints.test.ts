import { it } from "@effect/vitest";
import { AccountId } from "@postern/core/shared";
import { harness } from "@postern/harness";
import type { ReceiverReply } from "@postern/memory";
import { Effect } from "effect";
import { describe, expect } from "vitest";
import { call, signIn } from "./call.ts";
import { asAdmin, asKey, makeKey } from "./key-world.ts";

const PATH = "/api/settings/webhooks";
const HOOK = "https://a.example.com/hook";
const DEMO = "demo@postern.test";
const FRIEND = "friend@postern.test";
const STUDIO = "studio@postern.test";
const EVENTS = ["email.received", "account.added", "account.removed"];

const raw = (subject: string) =>
  new TextEncoder().encode(`From: ann@example.org\r\nSubject: ${subject}\r\n\r\nHi.\r\n`);

/** A service whose receiver records the bodies that it gets. */
const world = Effect.gen(function* () {
  const service = yield* harness;
  const bodies: Array<any> = [];
  const state: { reply: ReceiverReply } = { reply: { status: 200 } };
  service.receivers.set(HOOK, {
    reply: ({ body }) => {
      bodies.push(JSON.parse(new TextDecoder().decode(body)));
      return state.reply;
    },
  });
  /** A request with a key and without an account. */
  const ask = (token: string, method: string, path: string, json?: unknown) =>
    call(service, method, path, { token, ...(json === undefined ? {} : { json }) });
  const manage = (token: string, email: string, tags: ReadonlyArray<string> = []) =>
    ask(token, "POST", "/api/accounts", { email, password: "demo", tags });
  const arrive = (email: string, subject: string) =>
    service.mail.account(AccountId(email)).mailbox("INBOX").append(raw(subject), service.now());
  /** Waits until the receiver got so many bodies in all. */
  const got = Effect.fnUntraced(function* (count: number) {
    for (let n = 0; bodies.length < count && n < 100; n++) {
      yield* service.pass("100 millis");
      yield* Effect.promise(() => new Promise((done) => setTimeout(done, 10)));
    }
    return bodies.map(({ event, account, data }) => [event, account.email, data.subject]);
  });
  return { service, state, bodies, ask, manage, arrive, got };
});

const endpointOf = (ask: Effect.Success<typeof world>["ask"], token: string, fields: object = {}) =>
  Effect.map(ask(token, "POST", PATH, { url: HOOK, events: EVENTS, ...fields }), ({ body }) => body.data);

describe("an endpoint of an application", () => {
  it.live("gets the events of the managed accounts in its reach, from its creation on [S10.3-33] [S10.3-39]", () =>
    Effect.gen(function* () {
      const { service, ask, manage, arrive, got, bodies } = yield* world;
      const { key: all } = yield* makeKey(service);
      yield* manage(all, DEMO, ["vip"]);
      const session = (yield* signIn(service, "demo", FRIEND)).body.token as string;
      const { id: friend } = (yield* ask(all, "GET", `/api/accounts/${FRIEND}`)).body.data;
      const { key } = yield* makeKey(service, { accounts: ["tag:vip", friend], application: "crm" });
      arrive(DEMO, "before");
      const made = yield* endpointOf(ask, key, { maxInFlight: 32, events: [...EVENTS, "email.sent"] });
      expect(made).toMatchObject({ maxInFlight: 32, watchesPending: 0 });
      arrive(FRIEND, "of an account that is not managed");
      yield* ask(session, "POST", "/api/send", { to: "x@far.test", subject: "of none either", text: "x" });
      arrive(DEMO, "after");
      expect(yield* got(1)).toEqual([["email.received", DEMO, "after"]]);
      expect(bodies[0].account.id).toMatch(/^acc_/);
      // An account that becomes managed within the reach is announced, and watched from then on.
      yield* manage(all, FRIEND, ["vip"]);
      arrive(FRIEND, "new");
      expect(yield* got(3)).toEqual([
        ["email.received", DEMO, "after"],
        ["account.added", FRIEND, undefined],
        ["email.received", FRIEND, "new"],
      ]);
    }).pipe(Effect.scoped),
  );

  it.live("hears that an account was removed, also after the account's rows are erased [S10.3-29]", () =>
    Effect.gen(function* () {
      const { service, state, ask, manage, bodies } = yield* world;
      const { key } = yield* makeKey(service, { accounts: ["*@postern.test"] });
      const { body } = yield* manage(key, DEMO);
      const { id } = yield* endpointOf(ask, key);
      state.reply = { status: 500 };
      expect((yield* ask(key, "DELETE", `/api/accounts/${DEMO}`)).status).toBe(200);
      expect((yield* ask(key, "DELETE", `/api/accounts/${DEMO}`)).status).toBe(404);
      yield* service.pass("1 second");
      state.reply = { status: 200 };
      yield* service.pass("2 minutes");
      expect(bodies.map(({ event }) => event)).toEqual(["account.removed", "account.removed"]);
      expect(bodies[1]).toMatchObject({ account: { id: body.data.id, email: DEMO }, data: { email: DEMO } });
      const deliveries = yield* ask(key, "GET", `${PATH}/${id}/deliveries`);
      expect(deliveries.body.data).toMatchObject([{ event: "account.removed", state: "succeeded", failures: 1 }]);
    }).pipe(Effect.scoped),
  );

  it.live(
    "is listed for every key of the application, and changed only by one that reaches as far [S10.1-5] [S10.2-22]",
    () =>
      Effect.gen(function* () {
        const { service, ask, manage } = yield* world;
        const { key: wide } = yield* makeKey(service, { application: "crm", accounts: ["*@postern.test"] });
        const { key: narrow } = yield* makeKey(service, { application: "crm", accounts: ["tag:vip"] });
        const { key: other } = yield* makeKey(service, { application: "other" });
        yield* manage(wide, DEMO);
        const { id } = yield* endpointOf(ask, wide);
        const listed = (token: string) =>
          Effect.map(ask(token, "GET", PATH), ({ body }) => body.data.map((one: { id: string }) => one.id));
        expect(yield* listed(wide)).toEqual([id]);
        expect(yield* listed(narrow)).toEqual([id]);
        expect(yield* listed(other)).toEqual([]);
        for (const token of [narrow, other]) {
          for (const [method, path, json] of [
            ["PATCH", "", { description: "mine" }],
            ["DELETE", ""],
            ["POST", "/disable"],
            ["POST", "/enable"],
            ["POST", "/test"],
            ["POST", "/rotate-secret"],
            ["GET", "/deliveries"],
            ["POST", "/replay", { since: new Date(service.now()).toISOString() }],
          ] as const) {
            const refused = yield* ask(token, method, `${PATH}/${id}${path}`, json);
            expect([refused.status, refused.body.code], `${method} ${path}`).toEqual([404, "endpoint_not_found"]);
          }
        }
        expect((yield* asKey(service, wide, "GET", PATH)).body.data).toEqual([]);
        const { body } = yield* asKey(service, wide, "POST", PATH, {
          json: { url: HOOK, events: EVENTS, maxInFlight: 11 },
        });
        expect(body.errors).toEqual([{ field: "maxInFlight", message: "must be a whole number from 1 to 10" }]);
        expect((yield* ask(wide, "PATCH", `${PATH}/${id}`, { description: "ours" })).body.data.description).toBe(
          "ours",
        );
        expect((yield* ask(wide, "POST", `${PATH}/${id}/test`)).body.data.delivered).toBe(true);
      }).pipe(Effect.scoped),
  );

  it.live(
    "counts the accounts that cannot be watched yet, and a later sweep or password begins their watch [S10.3-35]",
    () =>
      Effect.gen(function* () {
        const { service, ask, manage, arrive, got } = yield* world;
        const { key } = yield* makeKey(service);
        service.mail.addAccount(STUDIO, "demo");
        for (const email of [DEMO, FRIEND, STUDIO]) yield* manage(key, email);
        for (const email of [FRIEND, STUDIO]) service.mail.addAccount(email, "changed");
        expect(yield* endpointOf(ask, key)).toMatchObject({ watchesPending: 2 });
        const watched = Effect.map(ask(key, "GET", "/api/accounts"), ({ body }) =>
          body.data.flatMap((one: { email: string; watched: boolean }) => (one.watched ? [one.email] : [])),
        );
        expect(yield* watched).toEqual([DEMO]);
        yield* service.sweep;
        expect(yield* watched).toEqual([DEMO]);
        yield* ask(key, "PATCH", `/api/accounts/${STUDIO}`, { password: "changed" });
        expect(yield* watched).toEqual([DEMO, STUDIO]);
        service.mail.addAccount(FRIEND, "demo");
        yield* ask(key, "POST", `/api/accounts/${FRIEND}/verify`);
        arrive(FRIEND, "unwatched");
        yield* service.sweep;
        expect(yield* watched).toEqual([DEMO, FRIEND, STUDIO]);
        arrive(FRIEND, "watched");
        expect(yield* got(1)).toEqual([["email.received", FRIEND, "watched"]]);
      }).pipe(Effect.scoped),
  );

  it.live("that its owner disables is reported to the application's other endpoints", () =>
    Effect.gen(function* () {
      const { service, ask, bodies } = yield* world;
      const { key } = yield* makeKey(service, { application: "crm" });
      const { id } = yield* endpointOf(ask, key, { url: "https://b.example.com/hook" });
      const other = yield* endpointOf(ask, key, { events: ["webhook.disabled"] });
      const disabled = yield* ask(key, "POST", `${PATH}/${id}/disable`);
      expect(disabled.body.data).toMatchObject({ enabled: false, disabledReason: "owner" });
      yield* ask(key, "POST", `${PATH}/${id}/disable`);
      yield* service.pass("1 minute");
      expect(bodies).toMatchObject([
        { event: "webhook.disabled", account: null, data: { endpointId: id, reason: "owner" } },
      ]);
      const sample = { event: "webhook.disabled" };
      expect((yield* ask(key, "POST", `${PATH}/${other.id}/test`, sample)).body.data.delivered).toBe(true);
      expect(bodies[1]).toMatchObject({ test: true, account: null, data: { endpointId: other.id } });
    }).pipe(Effect.scoped),
  );

  it.live("ends with its application [S10.2-3]", () =>
    Effect.gen(function* () {
      const { service, ask, manage, arrive, got } = yield* world;
      const { key: all } = yield* makeKey(service);
      yield* manage(all, DEMO);
      const { key } = yield* makeKey(service, { application: "crm" });
      yield* endpointOf(ask, key);
      arrive(DEMO, "one");
      expect(yield* got(1)).toHaveLength(1);
      expect((yield* asAdmin(service, "DELETE", "/api/applications/crm")).status).toBe(200);
      const { key: again } = yield* makeKey(service, { application: "crm" });
      expect((yield* ask(again, "GET", PATH)).body.data).toEqual([]);
      arrive(DEMO, "two");
      yield* service.pass("5 seconds");
      expect(yield* got(1)).toHaveLength(1);
    }).pipe(Effect.scoped),
  );
});
