import { it } from "@effect/vitest";
import { Duration, Effect, Layer, Option } from "effect";
import { TestClock } from "effect/testing";
import { describe, expect } from "vitest";
import { AuditTrail } from "../../src/audit/index.ts";
import { EventLedger, type MailEvent } from "../../src/events/index.ts";
import { AccountId, yieldToOthers } from "../../src/shared/index.ts";
import {
  type Delivery,
  DeliveryLog,
  DeliveryQueue,
  disableEndpoint,
  type Endpoint,
  type EndpointOwner,
  Endpoints,
  type EventPlace,
  ownedBy,
  WebhookDeliveries,
} from "../../src/webhooks/index.ts";
import { noTransaction, numberedIds, withoutCreationKeys } from "../doubles.ts";
import { deliveryWith, endpointWith, T0 } from "../webhook-doubles.ts";

const OWNER = ownedBy(AccountId("demo@postern.test"));
const DAY = Duration.toMillis("1 day");

const eventOf = (id: string): MailEvent => ({
  id,
  account: AccountId("demo@postern.test"),
  type: "email.received",
  occurredAt: T0,
  body: Uint8Array.of(123, 125),
});

/** One endpoint with these deliveries, whose events may all be replayed. Records the queries of the log and the queued deliveries. */
const service = (deliveries: ReadonlyArray<Delivery> = [], first: Endpoint = endpointWith()) => {
  const world = {
    endpoint: first as Endpoint | undefined,
    queued: [] as Array<Delivery>,
    revised: [] as Array<Delivery>,
    asked: [] as Array<unknown>,
  };
  const places: ReadonlyArray<EventPlace> = deliveries.map(({ eventId, occurredAt, position }) => ({
    eventId,
    occurredAt,
    position,
  }));
  const layer = WebhookDeliveries.layer.pipe(
    Layer.provide([
      Layer.mock(Endpoints, {
        find: (owner, id) =>
          Effect.sync(() =>
            Option.filter(
              Option.fromNullishOr(world.endpoint),
              (one) => one.id === id && one.owner._tag === owner._tag,
            ),
          ),
        change: (ids, decide) =>
          Effect.sync(() => {
            if (world.endpoint === undefined || !ids.includes(world.endpoint.id)) return [];
            const [answer, after] = decide(world.endpoint);
            world.endpoint = after;
            return [answer];
          }),
      }),
      Layer.mock(DeliveryLog, {
        page: (_, filter, limit) =>
          Effect.sync(() => {
            world.asked.push({ ...filter, limit });
            return deliveries.slice(0, limit).map((delivery) => ({ delivery, attempts: [] }));
          }),
        find: (_, id) =>
          Effect.succeed(
            Option.map(Option.fromNullishOr(deliveries.find((one) => one.id === id)), (delivery) => ({
              delivery,
              attempts: [],
            })),
          ),
        ofEvents: (_, ids) => Effect.succeed(deliveries.filter(({ eventId }) => ids.includes(eventId))),
        listReplayable: (_, { since, until, after }, limit) =>
          Effect.sync(() => {
            world.asked.push({ since, until });
            const from = after === null ? 0 : places.findIndex(({ eventId }) => eventId === after.eventId) + 1;
            return places.slice(from, from + limit);
          }),
        revise: (changed) => Effect.sync(() => void world.revised.push(...changed)),
      }),
      Layer.mock(DeliveryQueue, { insert: (added) => Effect.sync(() => void world.queued.push(...added)) }),
      // The event of the first delivery is no longer kept.
      Layer.mock(EventLedger, {
        find: (ids) => Effect.succeed(ids.flatMap((id) => (id === deliveries[0]?.eventId ? [] : [eventOf(id)]))),
      }),
      numberedIds,
      noTransaction,
      withoutCreationKeys,
    ]),
  );
  const run = <A, E>(use: (webhooks: WebhookDeliveries["Service"]) => Effect.Effect<A, E>) =>
    TestClock.setTime(T0).pipe(
      Effect.andThen(Effect.flatMap(WebhookDeliveries, use)),
      Effect.provide(layer),
      Effect.scoped,
    );
  return { world, run };
};

const deliveries = (count: number, fields: Partial<Delivery> = {}) =>
  Array.from({ length: count }, (_, n) =>
    deliveryWith({ id: `d${n}`, eventId: `evt_${n}`, position: n, state: "exhausted", step: 6, ...fields }),
  );
/** Lets what runs in the background end. */
const rest = Effect.repeat(yieldToOthers, { times: 9 });
const tagOf = <A, E extends { readonly _tag: string }>(effect: Effect.Effect<A, E>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag);

const CURSOR = "del_0000000000000009random";

describe("the body of a delivery", () => {
  it.effect("is recorded when it is read, while its event is kept [S7.13-2]", () =>
    Effect.gen(function* () {
      const noted: Array<unknown> = [];
      const { run } = service(deliveries(2));
      const read = (id: string) =>
        run((webhooks) => webhooks.readBody(OWNER, "we_1", id)).pipe(
          Effect.provideService(AuditTrail, (operation, about) =>
            Effect.sync(() => void noted.push([operation, about])),
          ),
        );
      expect(yield* read("d1")).toEqual(Uint8Array.of(123, 125));
      const entry = ["operator.readBody", { account: deliveries(2)[1]!.account, target: "d1" }];
      expect(noted).toEqual([entry]);
      expect(yield* tagOf(read("d0"))).toBe("DeliveryNotFound");
      expect(yield* tagOf(read("none"))).toBe("DeliveryNotFound");
      expect(noted).toEqual([entry]);
    }),
  );
});

describe("a page of deliveries", () => {
  it.effect("has 50 deliveries, or as many as asked for up to 200, and a cursor if there are more", () =>
    Effect.gen(function* () {
      const page = (count: number, limit?: number) =>
        service(deliveries(count)).run((webhooks) => webhooks.page(OWNER, "we_1", { limit }));
      const shape = (count: number, limit?: number) =>
        Effect.map(page(count, limit), (one) => [one.deliveries.length, one.nextCursor]);
      expect(yield* shape(50)).toEqual([50, null]);
      expect(yield* shape(51)).toEqual([50, "d49"]);
      expect(yield* shape(3, 2)).toEqual([2, "d1"]);
      expect(yield* shape(200, 1_000)).toEqual([200, null]);
      expect(yield* shape(201, 1_000)).toEqual([200, "d199"]);
      expect(yield* shape(0)).toEqual([0, null]);
    }),
  );

  it.effect("can be filtered by state and event type, and continues at the cursor", () =>
    Effect.gen(function* () {
      const { world, run } = service();
      yield* run((webhooks) =>
        webhooks.page(OWNER, "we_1", { state: "held", event: "email.received", cursor: CURSOR, limit: 5 }),
      );
      expect(world.asked).toEqual([{ state: "held", type: "email.received", before: CURSOR, limit: 6 }]);
      const unknown = yield* Effect.flip(run((webhooks) => webhooks.page(OWNER, "we_1", { event: "email.eaten" })));
      expect(unknown).toMatchObject({ _tag: "InputInvalid", errors: [{ field: "event" }] });
    }),
  );

  it.effect("shows a pending delivery of an earlier generation as held", () =>
    Effect.gen(function* () {
      const mixed = [
        deliveryWith(),
        deliveryWith({ generation: 0 }),
        deliveryWith({ generation: 0, state: "exhausted" }),
      ];
      const page = yield* service(mixed).run((webhooks) => webhooks.page(OWNER, "we_1", {}));
      expect(page.deliveries.map(({ state }) => state)).toEqual(["pending", "held", "exhausted"]);
    }),
  );

  it.effect("needs an endpoint of the owner", () =>
    Effect.gen(function* () {
      const { run } = service();
      expect(yield* tagOf(run((webhooks) => webhooks.page(OWNER, "we_2", {})))).toBe("EndpointNotFound");
      const application = (reach: ReadonlyArray<string> | null): EndpointOwner => ({
        _tag: "Application",
        application: "app",
        reach,
        notify: null,
      });
      const ofOne = service([], endpointWith({ owner: application(["a.test"]) }));
      const page = (owner: EndpointOwner) => ofOne.run((webhooks) => webhooks.page(owner, "we_1", {}));
      expect((yield* page(application(null))).deliveries).toEqual([]);
      expect(yield* tagOf(page(application(["b.test"])))).toBe("EndpointNotFound");
    }),
  );
});

describe("a resend", () => {
  const sent = deliveryWith({ state: "succeeded", step: 2, firstAttemptAt: T0 - 5, dueAt: T0 - 9, position: 7 });

  it.effect("is a new delivery of the same event, due at once", () =>
    Effect.gen(function* () {
      const { world, run } = service([sent]);
      const view = yield* run((webhooks) => webhooks.resend(OWNER, "we_1", "d1"));
      expect(view).toEqual({ delivery: world.queued[0], attempts: [], state: "pending" });
      expect(world.queued).toEqual([
        {
          ...sent,
          id: view.delivery.id,
          trigger: expect.stringMatching(/^resend:./),
          state: "pending",
          step: 0,
          dueAt: T0,
          firstAttemptAt: null,
        },
      ]);
      expect(view.delivery.id).not.toBe(sent.id);
    }),
  );

  it.effect("needs a delivery and an enabled endpoint that exists", () =>
    Effect.gen(function* () {
      const { world, run } = service([sent]);
      expect(yield* tagOf(run((webhooks) => webhooks.resend(OWNER, "we_1", "d2")))).toBe("DeliveryNotFound");
      expect(yield* tagOf(run((webhooks) => webhooks.resend(OWNER, "we_2", "d1")))).toBe("EndpointNotFound");
      const disabled = service([sent], disableEndpoint(endpointWith(), "owner", T0));
      expect(yield* tagOf(disabled.run((webhooks) => webhooks.resend(OWNER, "we_1", "d1")))).toBe("EndpointDisabled");
      expect([...world.queued, ...disabled.world.queued]).toEqual([]);
    }),
  );
});

it.effect("ids and filters that no record can have are refused before anything is read", () =>
  Effect.gen(function* () {
    const { world, run } = service();
    const faults = (
      use: (webhooks: WebhookDeliveries["Service"]) => Effect.Effect<unknown, { readonly _tag: string }>,
    ) =>
      Effect.map(Effect.flip(run(use)), (error) =>
        "errors" in error
          ? (error.errors as ReadonlyArray<{ readonly field: string }>).map(({ field }) => field)
          : error,
      );
    expect(yield* faults(({ page }) => page(OWNER, "", {}))).toEqual(["id"]);
    expect(yield* faults(({ page }) => page(OWNER, "we_1", { cursor: "d1" }))).toEqual(["cursor"]);
    expect(yield* faults(({ page }) => page(OWNER, "we_1", { limit: 0 }))).toEqual(["limit"]);
    expect(yield* faults(({ page }) => page(OWNER, "we_1", { event: "email.eaten" }))).toEqual(["event"]);
    expect(yield* faults(({ readBody }) => readBody(OWNER, "we_1", ""))).toEqual(["deliveryId"]);
    expect(yield* faults(({ resend }) => resend(OWNER, "we_1", ""))).toEqual(["deliveryId"]);
    expect(yield* faults(({ replay }) => replay(OWNER, "we_1", { since: "soon" }))).toEqual(["since"]);
    expect(world.asked).toEqual([]);
  }),
);

describe("a replay", () => {
  const iso = (millis: number) => new Date(millis).toISOString();
  const since = iso(T0 - DAY);

  it.effect("covers at most the last 14 days, by default up to now", () =>
    Effect.gen(function* () {
      const replay = (request: { readonly since: string; readonly until?: string }) => {
        const { world, run } = service();
        return Effect.as(
          run((webhooks) => webhooks.replay(OWNER, "we_1", request)),
          world.asked,
        );
      };
      expect(yield* replay({ since: iso(T0 - 14 * DAY) })).toEqual([{ since: T0 - 14 * DAY, until: T0 + 1 }]);
      expect(yield* tagOf(replay({ since: iso(T0 - 14 * DAY - 1) }))).toBe("ReplayTooOld");
      expect(yield* replay({ since, until: iso(T0 - DAY + 1) })).toEqual([{ since: T0 - DAY, until: T0 - DAY + 1 }]);
      expect(yield* Effect.flip(replay({ since, until: since }))).toMatchObject({ errors: [{ field: "until" }] });
      expect(yield* tagOf(replay({ since: iso(T0 + 2), until: iso(T0 + 1) }))).toBe("InputInvalid");
    }),
  );

  it.effect("queues held and exhausted deliveries again, unless it names states", () =>
    Effect.gen(function* () {
      const all = [
        deliveryWith({ id: "exhausted", eventId: "evt_1", state: "exhausted" }),
        deliveryWith({ id: "held", eventId: "evt_2", generation: 0 }),
        deliveryWith({ id: "due", eventId: "evt_3" }),
        deliveryWith({ id: "succeeded", eventId: "evt_4", state: "succeeded" }),
      ];
      const replay = (states?: ReadonlyArray<"held" | "exhausted">) => {
        const { world, run } = service(all);
        return Effect.map(
          run((webhooks) => webhooks.replay(OWNER, "we_1", { since, states })),
          ({ id, queued, complete }) => {
            expect(id).toMatch(/^rpl_./);
            for (const one of world.queued) expect(one.trigger).toBe(`replay:${id}`);
            const added = world.queued.map(({ eventId }) => eventId);
            return { queued, complete, added, revised: world.revised.map((one) => one.id) };
          },
        );
      };
      expect(yield* replay()).toEqual({ queued: 2, complete: true, added: ["evt_1"], revised: ["held"] });
      expect(yield* replay(["held"])).toMatchObject({ queued: 1, added: [], revised: ["held"] });
      expect(yield* replay(["exhausted"])).toMatchObject({ queued: 1, added: ["evt_1"], revised: [] });
    }),
  );

  it.effect("queues 50 events before it answers, and the rest in the background", () =>
    Effect.gen(function* () {
      const queuedOf = (count: number) => {
        const { world, run } = service(deliveries(count));
        return run((webhooks) =>
          Effect.gen(function* () {
            const { queued, complete } = yield* webhooks.replay(OWNER, "we_1", { since });
            yield* rest;
            return [queued, complete, world.queued.length];
          }),
        );
      };
      expect(yield* queuedOf(49)).toEqual([49, true, 49]);
      expect(yield* queuedOf(50)).toEqual([50, false, 50]);
      expect(yield* queuedOf(120)).toEqual([50, false, 120]);
    }),
  );

  it.effect("ends when the endpoint is disabled or deleted meanwhile", () =>
    Effect.gen(function* () {
      for (const meanwhile of [disableEndpoint(endpointWith(), "owner", T0), undefined]) {
        const { world, run } = service(deliveries(120));
        yield* run((webhooks) =>
          Effect.gen(function* () {
            yield* webhooks.replay(OWNER, "we_1", { since });
            world.endpoint = meanwhile;
            yield* rest;
          }),
        );
        expect(world.queued).toHaveLength(50);
      }
      const disabled = service(deliveries(1), disableEndpoint(endpointWith(), "owner", T0));
      expect(yield* tagOf(disabled.run((webhooks) => webhooks.replay(OWNER, "we_1", { since })))).toBe(
        "EndpointDisabled",
      );
      expect(yield* tagOf(service().run((webhooks) => webhooks.replay(OWNER, "we_2", { since })))).toBe(
        "EndpointNotFound",
      );
    }),
  );
});
