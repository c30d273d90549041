import { it } from "@effect/vitest";
import { Effect, Option, Redacted } from "effect";
import { TestClock } from "effect/testing";
import { describe, expect } from "vitest";
import { AccountDirectory } from "../../src/accounts/index.ts";
import { type EndpointOwner, WebhookTrial, type Endpoint } from "../../src/webhooks/index.ts";
import { ownEvents, publishRemoval } from "../../src/webhooks/own-events.ts";
import { endpointWith, T0 } from "../webhook-doubles.ts";
import { endpointsWorld, ME, OWNER, keyOf, REQUEST, tagOf } from "./endpoints-in-memory.ts";

declare const TextDecoder: new () => { decode(bytes: Uint8Array): string };

const DAY = 86_400_000;

describe("a new endpoint", () => {
  it.effect("of an account has the default settings and a secret, and its account is watched", () =>
    Effect.gen(function* () {
      const { state, create } = endpointsWorld();
      const { endpoint, secret, secretHint, watchesPending } = yield* create();
      expect(endpoint).toEqual({ ...endpointWith(), id: endpoint.id, url: REQUEST.url });
      expect(endpoint.id).toMatch(/^we_./);
      expect(secretHint).toBe(`…${Redacted.value(secret!).slice(-4)}`);
      expect(watchesPending).toBe(0);
      // The watch may have ended before the endpoint is stored.
      expect(state.log).toEqual([`watch ${ME}`, `stay with ${ME}`, `complete ${endpoint.id}`]);
    }),
  );

  it.effect("of an application has its accounts watched", () =>
    Effect.gen(function* () {
      const { state, create } = endpointsWorld();
      const { endpoint, watchesPending } = yield* create(keyOf(), { maxInFlight: 32 });
      expect([endpoint.owner, endpoint.maxInFlight, watchesPending]).toEqual([keyOf(), 32, 0]);
      expect(state.log).toEqual([`complete ${endpoint.id}`, `watch ${ME}`]);
    }),
  );

  it.effect("has each event type once, a URL that may be contacted, and its owner's bounds", () =>
    Effect.gen(function* () {
      const { state, create } = endpointsWorld();
      expect(
        (yield* create(OWNER, { events: ["email.sent", "email.received", "email.sent"] })).endpoint.events,
      ).toEqual(["email.sent", "email.received"]);
      const faultOf = (more: object, owner?: EndpointOwner) =>
        Effect.map(Effect.flip(create(owner, more)), (error) =>
          error._tag === "InputInvalid" ? error.errors[0]!.field : error._tag,
        );
      expect(yield* faultOf({ events: ["email.sent", "email.eaten"] })).toBe("events.1");
      expect(yield* faultOf({ events: [] })).toBe("events");
      expect(yield* faultOf({ url: "https://private.test/" })).toBe("EndpointUrlRefused");
      expect(yield* faultOf({ maxInFlight: 11 })).toBe("maxInFlight");
      expect(yield* faultOf({ maxInFlight: 33 }, keyOf())).toBe("maxInFlight");
      state.isFull = true;
      expect(yield* faultOf({ maxInFlight: 10 })).toBe("TooManyEndpoints");
    }),
  );

  it.effect("is found by a repeated request, without its secret", () =>
    Effect.gen(function* () {
      const { create, run } = endpointsWorld();
      const { endpoint, secretHint } = yield* create();
      const repeat = (key: string) =>
        run((endpoints) => endpoints.create(OWNER, REQUEST, { caller: "c", key, account: ME }));
      expect(yield* repeat(endpoint.id)).toEqual({ endpoint, secretHint, secret: null, watchesPending: 0 });
      expect(yield* repeat("we_none")).toBeNull();
    }),
  );
});

describe("an endpoint", () => {
  it.effect("is listed and found with the hint of its secret", () =>
    Effect.gen(function* () {
      const { state, create, run } = endpointsWorld();
      const { endpoint, secretHint } = yield* create();
      const view = { endpoint, secretHint };
      expect((yield* run((endpoints) => endpoints.page(OWNER, {}))).items).toEqual([view]);
      expect(yield* run((endpoints) => endpoints.find(OWNER, endpoint.id))).toEqual(view);
      expect((yield* run((endpoints) => endpoints.page(keyOf(), {}))).items).toEqual([]);
      expect(yield* tagOf(run((endpoints) => endpoints.find(keyOf(), endpoint.id)))).toBe("EndpointNotFound");
      state.secrets.set(endpoint.id, Option.none());
      expect((yield* run((endpoints) => endpoints.find(OWNER, endpoint.id))).secretHint).toBe("…");
      state.secrets.clear();
      expect((yield* run((endpoints) => endpoints.page(OWNER, {}))).items).toEqual([]);
      expect(yield* tagOf(run((endpoints) => endpoints.find(OWNER, endpoint.id)))).toBe("EndpointNotFound");
    }),
  );

  it.effect("is changed and deleted only in the version that the client saw", () =>
    Effect.gen(function* () {
      const { state, create, run } = endpointsWorld();
      const { endpoint } = yield* create();
      yield* TestClock.setTime(T0 + 9);
      const edit = (request: object, isWanted?: (one: Endpoint) => boolean) =>
        run((endpoints) => endpoints.edit(OWNER, endpoint.id, request, isWanted));
      expect((yield* edit({ ordered: true, events: ["email.sent"] })).endpoint).toEqual({
        ...endpoint,
        ordered: true,
        events: ["email.sent"],
        updatedAt: T0 + 9,
      });
      expect((yield* edit({ description: "d" }, ({ ordered }) => ordered)).endpoint.events).toEqual(["email.sent"]);
      expect(yield* tagOf(edit({}, ({ ordered }) => !ordered))).toBe("EndpointChanged");
      const remove = (isWanted?: (one: Endpoint) => boolean) =>
        run((endpoints) => endpoints.remove(OWNER, endpoint.id, isWanted));
      expect(yield* tagOf(remove(() => false))).toBe("EndpointChanged");
      yield* remove();
      expect(state.endpoints).toEqual([]);
      expect(state.log).toContain(`release ${ME}`);
      expect(yield* tagOf(remove())).toBe("EndpointNotFound");
    }),
  );

  it.effect("whose reach exceeds that of a key cannot be changed with the key", () =>
    Effect.gen(function* () {
      const { create, run } = endpointsWorld();
      const { id } = (yield* create(keyOf(["*@x.test"]))).endpoint;
      const narrow = keyOf(["a@x.test"]);
      for (const refused of [
        run((endpoints) => endpoints.edit(narrow, id, {})),
        run((endpoints) => endpoints.remove(narrow, id)),
        run((endpoints) => endpoints.disable(narrow, id)),
        run((endpoints) => endpoints.rotateSecret(narrow, id)),
      ])
        expect(yield* tagOf(refused)).toBe("EndpointNotFound");
      expect((yield* run((endpoints) => endpoints.find(narrow, id))).endpoint.id).toBe(id);
      expect((yield* run((endpoints) => endpoints.disable(keyOf(["*@x.test", "b@y.test"]), id))).endpoint.state).toBe(
        "disabled",
      );
    }),
  );

  it.effect("is disabled once, which is announced to the account, and enabled", () =>
    Effect.gen(function* () {
      const { state, create, run } = endpointsWorld();
      const { id } = (yield* create()).endpoint;
      const disable = run((endpoints) => endpoints.disable(OWNER, id));
      expect((yield* disable).endpoint).toMatchObject({ state: "disabled", disabledReason: "owner", disabledAt: T0 });
      yield* disable;
      expect(state.published.map(({ type }) => type)).toEqual(["webhook.disabled"]);
      expect(new TextDecoder().decode(state.published[0]!.body)).toContain(`"endpointId":"${id}","reason":"owner"`);
      expect((yield* run((endpoints) => endpoints.enable(OWNER, id))).endpoint.state).toBe("enabled");
      expect(state.published).toHaveLength(1);
    }),
  );

  it.effect("of a suspended application is suspended, not enabled [S10.2-29]", () =>
    Effect.gen(function* () {
      const { state, create, run } = endpointsWorld();
      const { id } = (yield* create(keyOf())).endpoint;
      yield* run((endpoints) => endpoints.disable(keyOf(), id));
      state.isSuspended = true;
      const enabled = (yield* run((endpoints) => endpoints.enable(keyOf(), id))).endpoint;
      expect(enabled).toMatchObject({ state: "suspended", disabledAt: null, generation: 3 });
      expect(state.endpoints).toEqual([enabled]);
    }),
  );

  it.effect("that is made while its application is suspended sends nothing [S10.2-29]", () =>
    Effect.gen(function* () {
      const { state, create } = endpointsWorld();
      state.whileChecked = () => (state.isSuspended = true);
      const made = [(yield* create(keyOf())).endpoint, (yield* create(OWNER)).endpoint];
      expect(made.map((endpoint) => endpoint.state)).toEqual(["suspended", "enabled"]);
      expect(state.endpoints).toEqual(made);
    }),
  );

  it.effect("is not made if its application is deleted meanwhile", () =>
    Effect.gen(function* () {
      const { state, create } = endpointsWorld();
      state.whileChecked = () => (state.isDeleted = true);
      expect(yield* tagOf(create(keyOf()))).toBe("KeyRejected");
      expect((yield* create(OWNER)).endpoint.state).toBe("enabled");
    }),
  );

  it.effect("of an application is announced as disabled to its other endpoints", () =>
    Effect.gen(function* () {
      const { state, create, run } = endpointsWorld();
      const { id } = (yield* create(keyOf(), { events: ["webhook.disabled"] })).endpoint;
      const disable = run((endpoints) => endpoints.disable(keyOf(), id));
      yield* disable;
      expect([state.published, state.queued]).toEqual([[], []]);
      yield* run((endpoints) => endpoints.enable(keyOf(), id));
      const other = (yield* create(keyOf(), { events: ["webhook.disabled"] })).endpoint;
      yield* create(OWNER, { events: ["webhook.disabled"] });
      yield* disable;
      expect(
        state.queued.map(({ endpointId, type, position, dueAt, trigger }) => [
          endpointId,
          type,
          position,
          dueAt,
          trigger,
        ]),
      ).toEqual([[other.id, "webhook.disabled", 7, T0, "event"]]);
      expect(state.published[0]?.id).toBe(state.queued[0]?.eventId);
    }),
  );

  it.effect("gets a new secret after the overlap, at once where the old one cannot be read", () =>
    Effect.gen(function* () {
      const { state, create, run } = endpointsWorld();
      const { endpoint, secretHint } = yield* create();
      const rotate = (overlap?: string) => run((endpoints) => endpoints.rotateSecret(OWNER, endpoint.id, overlap));
      const rotated = yield* rotate();
      expect([rotated.activatesAt, rotated.secretHint]).toEqual([T0 + DAY, secretHint]);
      const hint = run((endpoints) => endpoints.find(OWNER, endpoint.id)).pipe(Effect.map((one) => one.secretHint));
      yield* TestClock.setTime(T0 + DAY);
      expect(yield* hint).toBe(`…${Redacted.value(rotated.secret).slice(-4)}`);
      const atOnce = yield* rotate("0");
      expect([atOnce.activatesAt, atOnce.secretHint]).toEqual([
        T0 + DAY,
        `…${Redacted.value(atOnce.secret).slice(-4)}`,
      ]);
      state.secrets.set(endpoint.id, Option.none());
      expect((yield* rotate("7d")).activatesAt).toBe(T0 + DAY);
      expect(yield* tagOf(rotate("soon"))).toBe("InputInvalid");
    }),
  );

  it.effect("that was deleted has its rows erased in slices of 50", () =>
    Effect.gen(function* () {
      const { state, run } = endpointsWorld();
      yield* run((endpoints) => endpoints.sweep);
      expect(state.log).toEqual(["erase 50", "erase 50", "erase 50"]);
    }),
  );
});

describe("a test of an endpoint", () => {
  const trial = ({ layer }: ReturnType<typeof endpointsWorld>, owner: EndpointOwner, id: string, type?: string) =>
    Effect.scoped(
      Effect.provide(
        Effect.flatMap(WebhookTrial, (one) => one.send(owner, id, type)),
        layer,
      ),
    );

  it.effect("sends the sample of an event, marked as a test, and stores nothing", () =>
    Effect.gen(function* () {
      const all = endpointsWorld();
      const { id } = (yield* all.create()).endpoint;
      expect(yield* trial(all, OWNER, id)).toMatchObject({ delivered: true, status: 204 });
      const [post] = all.state.posts;
      const body = JSON.parse(new TextDecoder().decode(post!.body));
      expect(body).toMatchObject({ event: "webhook.test", test: true });
      expect(post).toMatchObject({ endpointId: id, url: REQUEST.url, headers: { "X-Service-Attempt": "1" } });
      yield* trial(all, OWNER, id, "webhook.disabled");
      expect(JSON.parse(new TextDecoder().decode(all.state.posts[1]!.body)).data.endpointId).toBe(id);
      expect([all.state.published, all.state.queued]).toEqual([[], []]);
    }),
  );

  it.effect("is not signed where the secrets cannot be read, and needs an endpoint and an event type", () =>
    Effect.gen(function* () {
      const all = endpointsWorld();
      const { id } = (yield* all.create()).endpoint;
      expect(yield* tagOf(trial(all, OWNER, "we_none"))).toBe("EndpointNotFound");
      expect(yield* tagOf(trial(all, keyOf(), id))).toBe("EndpointNotFound");
      expect(yield* tagOf(trial(all, OWNER, ""))).toBe("InputInvalid");
      expect(yield* tagOf(trial(all, OWNER, id, "email.eaten"))).toBe("InputInvalid");
      all.state.secrets.set(id, Option.none());
      expect(yield* trial(all, OWNER, id)).toMatchObject({ delivered: false, errorCode: "secret_unreadable" });
      all.state.secrets.clear();
      expect(yield* tagOf(trial(all, OWNER, id))).toBe("EndpointNotFound");
      expect(all.state.posts).toEqual([]);
    }),
  );
});

it.effect("the removal of an account is announced to the endpoints of applications, not to its own", () =>
  Effect.gen(function* () {
    const { state, layer, create } = endpointsWorld();
    yield* create(OWNER, { events: ["account.removed"] });
    const { id } = (yield* create(keyOf(), { events: ["account.removed"] })).endpoint;
    yield* Effect.gen(function* () {
      yield* publishRemoval(yield* ownEvents, yield* AccountDirectory, ME);
    }).pipe(Effect.provide(layer));
    expect(state.queued.map(({ endpointId, type }) => [endpointId, type])).toEqual([[id, "account.removed"]]);
    expect(state.published).toHaveLength(1);
    expect(JSON.parse(new TextDecoder().decode(state.published[0]!.body))).toMatchObject({ data: { email: ME } });
  }),
);
