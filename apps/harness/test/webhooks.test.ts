import { assert, it } from "@effect/vitest";
import { AccountId } from "@postern/core/shared";
import { type Harness } from "@postern/harness";
import { Effect } from "effect";
import { describe, expect } from "vitest";
import { call, signIn } from "./call.ts";
import { PATH, URL_A, URL_B, world } from "./endpoint-world.ts";

const otherAccount = (service: Harness) =>
  Effect.map(signIn(service, "demo", "friend@postern.test"), ({ body }) => body.token as string);

describe("an endpoint", () => {
  it.effect("is created with its secret shown once, listed, changed and deleted [S7.6-1] [S7.6-2] [S7.6-10]", () =>
    Effect.gen(function* () {
      const { ask, create } = yield* world;
      const made = yield* create({ description: "Größe ✓" });
      expect(made.secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
      expect(made).toMatchObject({
        url: URL_A,
        description: "Größe ✓",
        events: ["email.sent"],
        folders: ["inbox"],
        enabled: true,
        disabledAt: null,
        disablePolicy: "literal",
        secretHint: `…${made.secret.slice(-4)}`,
        lastDeliveryAt: null,
        consecutiveFailures: 0,
      });
      const { secret: _, watchesPending: pending, ...record } = made;
      expect(pending).toBe(0);
      expect(Object.keys(record).toSorted().join(", ")).toBe(
        "consecutiveFailures, createdAt, description, disablePolicy, disabledAt, disabledReason, enabled, events, folders, " +
          "honourRetryAfter, id, lastDeliveryAt, lastStatus, maxInFlight, ordered, secretHint, updatedAt, url, version",
      );
      const { body } = yield* ask("GET", PATH);
      expect(body).toEqual({ ok: true, data: [record], nextCursor: null });
      const changed = yield* ask("PATCH", `${PATH}/${made.id}`, { events: ["email.opened", "email.opened"] });
      expect(changed.body.data).toMatchObject({ url: URL_A, events: ["email.opened"] });
      expect((yield* ask("DELETE", `${PATH}/${made.id}`)).body.data).toEqual({ id: made.id, deleted: true });
      expect((yield* ask("GET", `${PATH}/${made.id}`)).status).toBe(404);
    }),
  );

  it.effect.each([
    [{ url: "http://hooks.example.com/" }, "url"],
    [{ url: "https://localhost/" }, "url"],
    [{ url: "https://10.0.0.1/" }, "url"],
    [{ url: "https://u:p@hooks.example.com/" }, "url"],
    [{ url: "https://gone.invalid/" }, "url"],
    [{ url: 7 }, "url"],
    [{ events: ["email.sent", "no.such"] }, "events.1"],
    [{ events: [] }, "events"],
    [{ description: "x".repeat(501) }, "description"],
    [{ description: "\0" }, "description"],
    [{ maxInFlight: 11 }, "maxInFlight"],
    [{ disablePolicy: "never" }, "disablePolicy"],
  ] as const)("with %j is refused at creation and at a change, naming the field", ([fields, field]) =>
    Effect.gen(function* () {
      const { ask, create } = yield* world;
      const refused = yield* ask("POST", PATH, { url: URL_A, events: ["email.sent"], ...fields });
      expect([refused.status, refused.body.errors[0].field]).toEqual([400, field]);
      const { id } = yield* create();
      const change = yield* ask("PATCH", `${PATH}/${id}`, fields);
      expect([change.status, change.body.errors[0].field]).toEqual([400, field]);
    }),
  );

  it.effect.each(["http://hooks.example.com/", "https://10.0.0.1/", "https://intranet/"])(
    "at %s is refused by a message that names the setting [S7.7-2]",
    (url) =>
      Effect.gen(function* () {
        const { ask } = yield* world;
        const { body } = yield* ask("POST", PATH, { url, events: ["email.sent"] });
        expect(body.errors).toEqual([{ field: "url", message: expect.stringContaining("WEBHOOK_ALLOWED_NETWORKS") }]);
      }),
  );

  it.effect("of another account is not found by any operation [S7.6-11]", () =>
    Effect.gen(function* () {
      const { service, create, send, ask } = yield* world;
      const { id } = yield* create();
      yield* send("mine");
      yield* service.pass(0);
      const delivery = (yield* ask("GET", `${PATH}/${id}/deliveries`)).body.data[0].id;
      const token = yield* otherAccount(service);
      const path = `${PATH}/${id}`;
      const since = new Date(service.now()).toISOString();
      for (const [method, where, json] of [
        ["GET", path],
        ["PATCH", path, { description: "stolen" }],
        ["DELETE", path],
        ["POST", `${path}/enable`],
        ["POST", `${path}/disable`],
        ["POST", `${path}/test`],
        ["POST", `${path}/rotate-secret`],
        ["GET", `${path}/deliveries`],
        ["POST", `${path}/deliveries/${delivery}/resend`],
        ["POST", `${path}/replay`, { since }],
        ["GET", `${PATH}/we_none`],
        ["GET", `${PATH}/%00`],
      ] as const) {
        const answer = yield* call(service, method, where, { token, ...(json === undefined ? {} : { json }) });
        expect([where, answer.status === 400 ? 404 : answer.status]).toEqual([where, 404]);
      }
      expect((yield* ask("GET", path)).body.data).toMatchObject({ description: "", enabled: true });
    }),
  );

  it.effect("keeps the credential, and is deleted with its account [S3.7-5]", () =>
    Effect.gen(function* () {
      const { service, ask, create } = yield* world;
      const { id } = yield* create();
      yield* ask("POST", "/api/auth/logout");
      assert.isTrue(yield* service.hasCredential(AccountId("demo@postern.test")));
      const account = (yield* signIn(service)).body.token as string;
      yield* call(service, "DELETE", "/api/account", { token: account });
      const { body } = yield* signIn(service);
      const found = yield* call(service, "GET", `${PATH}/${id}`, { token: body.token });
      assert.strictEqual(found.status, 404);
    }),
  );
});

describe("an event", () => {
  it.effect(
    "is sent to each endpoint with its type, signed by that endpoint's secret, at its current URL [S1.2-3]",
    () =>
      Effect.gen(function* () {
        const { service, ask, create, send, subjects, reply, received } = yield* world;
        const one = yield* create();
        yield* create({ url: URL_B });
        yield* create({ url: URL_B, events: ["email.opened"] });
        reply[URL_A] = { status: 500 };
        yield* send("first 📮\u2028");
        yield* service.pass(0);
        assert.deepStrictEqual([subjects(URL_A), subjects(URL_B)], [["first 📮\u2028"], ["first 📮\u2028"]]);
        assert.notStrictEqual(
          received[URL_A]![0]!.headers["X-Service-Signature"],
          received[URL_B]![0]!.headers["X-Service-Signature"],
        );
        yield* ask("PATCH", `${PATH}/${one.id}`, { url: URL_B });
        yield* service.pass("1 minute");
        assert.deepStrictEqual([subjects(URL_A).length, subjects(URL_B).length], [1, 2]);
        const { data } = (yield* ask("GET", `${PATH}/${one.id}/deliveries`)).body;
        expect(data).toHaveLength(1);
        expect(data[0]).toMatchObject({ event: "email.sent", state: "succeeded", failures: 1, nextAttemptAt: null });
        expect(data[0].attempts.map(({ n, status }: { n: number; status: number }) => [n, status])).toEqual([
          [1, 500],
          [2, 200],
        ]);
        expect((yield* ask("GET", `${PATH}/${one.id}`)).body.data).toMatchObject({
          lastStatus: 200,
          consecutiveFailures: 0,
        });
      }),
  );

  it.effect("stops at once when its endpoint is deleted", () =>
    Effect.gen(function* () {
      const { service, ask, create, send, subjects, reply } = yield* world;
      const { id } = yield* create();
      reply[URL_A] = { status: 500 };
      yield* send("due later");
      yield* service.pass(0);
      yield* ask("DELETE", `${PATH}/${id}`);
      yield* service.pass("8 hours");
      assert.strictEqual(subjects(URL_A).length, 1);
    }),
  );

  it.effect(
    "is held while its endpoint is disabled; two replays deliver it once [S7.5-8] [S7.5-9] [S7.6-3] [S7.6-8]",
    () =>
      Effect.gen(function* () {
        const { service, ask, create, send, subjects } = yield* world;
        const { id } = yield* create();
        const path = `${PATH}/${id}`;
        const since = new Date(service.now()).toISOString();
        expect((yield* ask("POST", `${path}/disable`)).body.data).toMatchObject({
          enabled: false,
          disabledReason: "owner",
        });
        expect((yield* ask("POST", `${path}/disable`)).status).toBe(200);
        yield* send("while off");
        yield* service.pass("10 minutes");
        expect((yield* ask("GET", `${path}/deliveries?state=held`)).body.data).toHaveLength(1);
        expect((yield* ask("GET", `${path}/deliveries?state=pending`)).body.data).toHaveLength(0);
        expect((yield* ask("POST", `${path}/replay`, { since })).body.code).toBe("endpoint_disabled");
        yield* ask("POST", `${path}/enable`);
        yield* service.pass("10 minutes");
        assert.deepStrictEqual(subjects(URL_A), []);
        for (const queued of [1, 0]) {
          const replay = yield* ask("POST", `${path}/replay`, { since });
          expect([replay.status, replay.body.data.queued, replay.body.data.complete]).toEqual([202, queued, true]);
        }
        yield* service.pass(0);
        assert.deepStrictEqual(subjects(URL_A), ["while off"]);
        const events = yield* Effect.orDie(service.events.list("demo@postern.test" as never));
        expect(events.map(({ type }) => type)).toContain("webhook.disabled");
      }),
  );

  it.effect("is resent once per request, and a failed resend does not disable the endpoint [S7.6-7]", () =>
    Effect.gen(function* () {
      const { service, ask, again, create, send, received, reply } = yield* world;
      const { id } = yield* create();
      const path = `${PATH}/${id}`;
      yield* send("again");
      yield* service.pass(0);
      const delivery = (yield* ask("GET", `${path}/deliveries`)).body.data[0].id;
      reply[URL_A] = { status: 500 };
      for (let n = 0; n < 2; n++) {
        const resent = yield* ask("POST", `${path}/deliveries/${delivery}/resend`);
        expect([resent.status, resent.body.data.trigger]).toEqual([200, "resend"]);
      }
      yield* service.pass("8 hours");
      assert.strictEqual(received[URL_A]!.length, 3);
      assert.strictEqual(new Set(received[URL_A]!.map(({ headers }) => headers["webhook-id"])).size, 1);
      yield* again;
      expect((yield* ask("GET", path)).body.data.enabled).toBe(true);
      yield* ask("POST", `${path}/disable`);
      const refused = yield* ask("POST", `${path}/deliveries/${delivery}/resend`);
      expect([refused.status, refused.body.code]).toEqual([409, "endpoint_disabled"]);
    }),
  );

  it.effect("cannot be replayed after 14 days [S7.5-10]", () =>
    Effect.gen(function* () {
      const { service, ask, create } = yield* world;
      const { id } = yield* create();
      const replay = (since: number, until?: number) =>
        ask("POST", `${PATH}/${id}/replay`, {
          since: new Date(since).toISOString(),
          ...(until === undefined ? {} : { until: new Date(until).toISOString() }),
        });
      const now = service.now();
      const tooOld = yield* replay(now - 14 * 86_400_000 - 1);
      expect([tooOld.status, tooOld.body.code]).toEqual([422, "replay_too_old"]);
      expect((yield* replay(now - 14 * 86_400_000)).status).toBe(202);
      const empty = yield* replay(now, now);
      expect([empty.status, empty.body.errors[0].field]).toEqual([400, "until"]);
      expect((yield* ask("POST", `${PATH}/${id}/replay`, { since: "yesterday" })).status).toBe(400);
    }),
  );
});

it.effect(
  "the notice to an owner arrives without an event, a copy in Sent or a place in the outbox [S7.5-11] [S1.3-25]",
  () =>
    Effect.gen(function* () {
      const { service, reply } = yield* world;
      const owner = AccountId("blocked@postern.test");
      service.mail.addAccount(owner, "demo");
      const ask = Effect.fnUntraced(function* (method: string, path: string, json?: unknown) {
        const { token } = (yield* signIn(service, "demo", owner)).body;
        return yield* call(service, method, path, { token, ...(json === undefined ? {} : { json }) });
      });
      reply[URL_A] = { status: 500 };
      yield* ask("POST", PATH, { url: URL_A, events: ["webhook.disabled", "email.sent", "folder.created"] });
      yield* ask("GET", "/api/folders");
      yield* ask("POST", "/api/settings/folders", { name: "One event" });
      for (let hour = 0; hour < 8; hour++) yield* service.pass("1 hour");
      const subjects = (path: string) =>
        service.mail
          .account(owner)
          .mailbox(path)
          .messages.map(({ summary }) => summary.subject);
      expect(subjects("INBOX")).toEqual([expect.stringContaining("disabled")]);
      expect(subjects("Sent")).toEqual([]);
      expect((yield* ask("GET", "/api/outbox")).body.data).toEqual([]);
      const types = (yield* Effect.orDie(service.events.list(owner))).map(({ type }) => type);
      expect(types.filter((type) => type.startsWith("email.") && type !== "email.received")).toEqual([]);
      expect(types.filter((type) => type === "webhook.disabled")).toHaveLength(1);
    }),
);

describe("an account", () => {
  it.effect("has at most 100 endpoints, as GET /api/limits states [S8.1-1]", () =>
    Effect.gen(function* () {
      const { ask, create } = yield* world;
      const { maxWebhookEndpoints } = (yield* ask("GET", "/api/limits")).body.data;
      expect(maxWebhookEndpoints).toBe(100);
      for (let n = 0; n < maxWebhookEndpoints; n++) yield* create();
      const { status, body } = yield* ask("POST", PATH, { url: URL_A, events: ["email.sent"] });
      expect([status, body.code, body.detail]).toEqual([
        409,
        "too_many_endpoints",
        "The account may have at most 100 endpoints. Delete one first.",
      ]);
    }),
  );
});

describe("tests and rotation", () => {
  it.effect("a test returns the receiver's answer and changes nothing [S7.1-6] [S7.6-4]", () =>
    Effect.gen(function* () {
      const { ask, create, received, reply } = yield* world;
      const { id } = yield* create();
      const path = `${PATH}/${id}`;
      const before = (yield* ask("GET", path)).body.data;
      expect((yield* ask("POST", `${path}/test`)).body.data).toMatchObject({ delivered: true, status: 200 });
      reply[URL_A] = { status: 503, body: new TextEncoder().encode("not now") };
      const failed = yield* ask("POST", `${path}/test`, { event: "email.received" });
      expect(failed.body.data).toMatchObject({ delivered: false, status: 503, excerpt: "not now" });
      assert.deepStrictEqual(
        received[URL_A]!.map(({ headers }) => headers["X-Service-Event"]),
        ["webhook.test", "email.received"],
      );
      const bodies = received[URL_A]!.map(({ body }) => JSON.parse(new TextDecoder().decode(body)));
      expect(bodies.map((body) => [body.event, body.test])).toEqual([
        ["webhook.test", true],
        ["email.received", true],
      ]);
      const unknown = yield* ask("POST", `${path}/test`, { event: "no.such" });
      expect([unknown.status, unknown.body.errors[0].field]).toEqual([400, "event"]);
      expect((yield* ask("GET", path)).body.data).toEqual(before);
      expect((yield* ask("GET", `${path}/deliveries`)).body.data).toEqual([]);
    }),
  );

  it.effect("both secrets sign until the overlap ends; after a leak only the new one [S7.6-5]", () =>
    Effect.gen(function* () {
      const { service, ask, again, create, received } = yield* world;
      const { id, secret } = yield* create();
      const path = `${PATH}/${id}`;
      const rotated = (yield* ask("POST", `${path}/rotate-secret`, { overlap: "2h" })).body.data;
      expect(rotated.secret).not.toBe(secret);
      expect(Date.parse(rotated.activatesAt) - service.now()).toBe(7_200_000);
      yield* ask("POST", `${path}/test`);
      expect(received[URL_A]![0]!.headers).toHaveProperty("X-Service-Signature-Next");
      yield* service.pass("2 hours");
      yield* again;
      expect((yield* ask("GET", path)).body.data.secretHint).toBe(`…${rotated.secret.slice(-4)}`);
      yield* ask("POST", `${path}/test`);
      expect(received[URL_A]![1]!.headers).not.toHaveProperty("X-Service-Signature-Next");
      const leaked = (yield* ask("POST", `${path}/rotate-secret`, { overlap: "0" })).body.data;
      expect(leaked.secretHint).toBe(`…${leaked.secret.slice(-4)}`);
      expect((yield* ask("POST", `${path}/rotate-secret`, { overlap: "soon" })).status).toBe(400);
      for (const [json, days] of [
        [{}, 1],
        [{ overlap: "8d" }, 7],
      ] as const) {
        const { data } = (yield* ask("POST", `${path}/rotate-secret`, json)).body;
        expect(Date.parse(data.activatesAt) - service.now()).toBe(days * 86_400_000);
      }
    }),
  );

  it.effect("the list of event types has schemas and samples [S7.6-9]", () =>
    Effect.gen(function* () {
      const { ask } = yield* world;
      const { body } = yield* ask("GET", `${PATH}/event-types`);
      const sent = body.data.find(({ event }: { event: string }) => event === "email.sent");
      expect(sent.schema).toMatchObject({ type: "object" });
      expect(sent.sample).toMatchObject({ event: "email.sent", data: { messageId: expect.any(String) } });
    }),
  );
});
