import { it } from "@effect/vitest";
import { AccountId } from "@postern/core/shared";
import { type Harness, harness, harnessWithStores } from "@postern/harness";
import { Effect, Layer } from "effect";
import { describe, expect } from "vitest";
import { call } from "./call.ts";
import { asAdmin, makeKey } from "./key-world.ts";
import { sqliteStores } from "./sql-stores.ts";

const HOOK = "https://a.example.com/hook";
const DEMO = "demo@postern.test";
const MAIL = new TextEncoder().encode("From: ann@example.org\r\nSubject: the secret offer\r\n\r\nHi.\r\n");

/** A service with an endpoint of the application `crm`, whose receiver refuses one event. */
const begin = Effect.fnUntraced(function* (made: Effect.Effect<Harness, unknown, any>) {
  const world = yield* made as typeof harness;
  const got: Array<{ readonly body: Uint8Array; readonly headers: Readonly<Record<string, string>> }> = [];
  world.receivers.set(HOOK, {
    reply: ({ body, headers }) => {
      got.push({ body, headers });
      return { status: 500, body: new TextEncoder().encode("no thanks") };
    },
  });
  const { key } = yield* makeKey(world, { application: "crm" });
  const ask = (method: string, path: string, json: object) => call(world, method, path, { token: key, json });
  yield* ask("POST", "/api/accounts", { email: DEMO, password: "demo" });
  yield* ask("POST", "/api/settings/webhooks", { url: HOOK, events: ["email.received"] });
  world.mail.account(AccountId(DEMO)).mailbox("INBOX").append(MAIL, world.now());
  for (let n = 0; got.length < 1 && n < 100; n++) {
    yield* world.pass("100 millis");
    yield* Effect.promise(() => new Promise((done) => setTimeout(done, 10)));
  }
  yield* world.pass("100 millis");
  return { world, key, sent: got[0]! };
});

for (const [name, made] of [
  ["memory", harness],
  ["SQLite", harnessWithStores(Layer.orDie(sqliteStores))],
] as const) {
  describe(`the endpoints of an application, for the operator, in ${name}`, () => {
    it.live("have their deliveries with the headers sent and the answer, without the body [S7.13-1]", () =>
      Effect.gen(function* () {
        const { world, key, sent } = yield* begin(made);
        const { body: listed } = yield* asAdmin(world, "GET", "/api/applications/crm/webhooks");
        expect(listed.data).toMatchObject([{ url: HOOK, events: ["email.received"] }]);
        expect(JSON.stringify(listed)).not.toContain("whsec_");
        const path = `/api/applications/crm/webhooks/${listed.data[0].id}/deliveries`;
        const { body } = yield* asAdmin(world, "GET", path);
        expect(body.data).toHaveLength(1);
        expect(body.data[0].attempts).toMatchObject([{ n: 1, status: 500, excerpt: "no thanks" }]);
        const { requestHeaders } = body.data[0].attempts[0];
        expect(requestHeaders).toMatchObject({ "X-Service-Event": "email.received", "X-Service-Attempt": "1" });
        for (const [header, value] of Object.entries(requestHeaders))
          expect([header, sent.headers[header] ?? sent.headers[header.toLowerCase()]]).toEqual([header, value]);
        expect(JSON.stringify(body)).not.toContain("secret offer");

        const other = `/api/applications/other/webhooks/${listed.data[0].id}/deliveries`;
        expect((yield* asAdmin(world, "GET", "/api/applications/other/webhooks")).body.data).toEqual([]);
        expect((yield* asAdmin(world, "GET", other)).body.code).toBe("endpoint_not_found");
        expect((yield* asAdmin(world, "GET", `${path}?state=none`)).status).toBe(400);
        expect((yield* call(world, "GET", path, { token: key })).status).toBe(403);
      }).pipe(Effect.scoped),
    );

    it.live("have a delivery's body in a request that leaves an audit entry [S7.13-2]", () =>
      Effect.gen(function* () {
        const { world, key, sent } = yield* begin(made);
        const [endpoint] = (yield* asAdmin(world, "GET", "/api/applications/crm/webhooks")).body.data;
        const path = `/api/applications/crm/webhooks/${endpoint.id}/deliveries`;
        const [delivery] = (yield* asAdmin(world, "GET", path)).body.data;
        const trail = Effect.map(
          asAdmin(world, "GET", "/api/audit?operation=operator.readBody"),
          ({ body }) => body.data,
        );
        expect((yield* asAdmin(world, "POST", `${path}/del_none/body`)).body.code).toBe("delivery_not_found");
        expect((yield* call(world, "POST", `${path}/${delivery.id}/body`, { token: key })).status).toBe(403);
        expect(yield* trail).toEqual([]);
        const { status, body } = yield* asAdmin(world, "POST", `${path}/${delivery.id}/body`);
        expect([status, body.data.id]).toEqual([200, delivery.id]);
        expect(body.data.body).toBe(new TextDecoder().decode(sent.body));
        expect(JSON.parse(body.data.body).data.subject).toBe("the secret offer");
        const { id: account } = JSON.parse(body.data.body).account;
        expect(yield* trail).toMatchObject([{ key: "admin", application: null, account, target: delivery.id }]);
      }).pipe(Effect.scoped),
    );
  });
}
