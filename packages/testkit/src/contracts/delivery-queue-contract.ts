import { assert, layer } from "@effect/vitest";
import {
  type AccountId,
  attemptOf,
  type Delivery,
  DeliveryQueue,
  type DeliveryTrigger,
  disableEndpoint,
  enableEndpoint,
  type Endpoint,
  Endpoints,
  EventLedger,
  firstSecrets,
  newDelivery,
  newEndpoint,
  reapDelivery,
  RETRY_LADDER,
  settleDelivery,
  writeEvent,
} from "@postern/core";
import { Effect, type Layer, Option, Redacted } from "effect";
import { freshAccount } from "../fresh-account.ts";

const T0 = 1_900_000_000_000;
const LEASE = 15_000;
const OUTCOME = { status: 500, errorCode: null, ms: 20, excerpt: "no\n📮", remoteIp: "192.0.2.1", retryAfter: null };

let made = 0;
const nextId = (kind: string) => `${kind}_${String(++made).padStart(6, "0")}${globalThis.crypto.randomUUID()}`;

const open = Effect.fnUntraced(function* (account: AccountId, fields: Partial<Endpoint> = {}) {
  const settings = {
    url: "https://hooks.example.com/ä?b=c",
    description: "Größe 📮",
    disablePolicy: "literal" as const,
    honourRetryAfter: false,
    ordered: false,
    events: ["email.received", "webhook.test"] as const,
  };
  const endpoint: Endpoint = { ...newEndpoint(nextId("we"), account, settings, T0), ...fields };
  yield* (yield* Endpoints).insert(endpoint, firstSecrets(Redacted.make("whsec_AAAA")));
  return endpoint;
});

const put = Effect.fnUntraced(function* (
  endpoint: Endpoint,
  fields: Partial<Delivery> & { readonly trigger?: DeliveryTrigger } = {},
  eventId = nextId("evt"),
) {
  const occurredAt = fields.occurredAt ?? T0;
  const event = writeEvent(eventId, endpoint.account, "webhook.test", occurredAt, { endpointId: endpoint.id });
  const delivery = { ...newDelivery(nextId("del"), event, endpoint, fields.trigger ?? "event", T0), ...fields };
  const ledger = yield* EventLedger;
  if ((yield* ledger.find([event.id])).length === 0) yield* ledger.append([event]);
  yield* (yield* DeliveryQueue).insert([delivery]);
  return { event, delivery };
});

/** Claims everything due, of whatever test, and answers with what is of these endpoints. */
const claimOf = Effect.fnUntraced(function* (
  endpoints: ReadonlyArray<Endpoint>,
  now = T0,
  token = "token",
  limit = 1000,
) {
  const claimed = yield* (yield* DeliveryQueue).claim(now, { token, millis: LEASE }, limit);
  return claimed.filter(({ endpoint }) => endpoints.some(({ id }) => id === endpoint.id));
});
const ids = (claimed: ReadonlyArray<{ readonly delivery: Delivery }>) => claimed.map(({ delivery }) => delivery.id);

/** What every store of endpoints and queue of deliveries promise together (decisions 7, design: claim, settle). */
export const deliveryQueueContract = <E>(
  name: string,
  live: Layer.Layer<DeliveryQueue | Endpoints | EventLedger, E>,
): void =>
  layer(live)(name, (it) => {
    it.effect("keeps endpoints and their secrets as they were given, each for its account", () =>
      Effect.gen(function* () {
        const endpoints = yield* Endpoints;
        const account = yield* freshAccount;
        const other = yield* freshAccount;
        const one = yield* open(account);
        const two = yield* open(account, { createdAt: T0 + 1, ordered: true, events: ["email.sent"], lastStatus: 500 });
        assert.deepStrictEqual(yield* endpoints.find(account, one.id), Option.some(one));
        assert.deepStrictEqual(yield* endpoints.find(other, one.id), Option.none());
        assert.deepStrictEqual(yield* endpoints.list(account), [one, two]);
        assert.deepStrictEqual(yield* endpoints.list(other), []);
        assert.deepStrictEqual(yield* endpoints.subscribed(account, "email.sent"), [two]);
        assert.deepStrictEqual(yield* endpoints.subscribed(account, "email.opened"), []);
        const next = { secret: Redacted.make("whsec_BBBB"), activatesAt: T0 + 5 };
        yield* endpoints.replaceSecrets(one.id, { current: Redacted.make("whsec_AAAA"), next });
        const secrets = Option.getOrThrow(yield* endpoints.secrets(one.id));
        assert.strictEqual(Redacted.value(secrets.current), "whsec_AAAA");
        assert.strictEqual(Redacted.value(secrets.next!.secret), "whsec_BBBB");
        assert.strictEqual(secrets.next!.activatesAt, T0 + 5);
        assert.isFalse(yield* endpoints.remove(other, one.id));
        assert.isTrue(yield* endpoints.remove(account, one.id));
        assert.deepStrictEqual(yield* endpoints.list(account), [two]);
        assert.deepStrictEqual(yield* endpoints.secrets(one.id), Option.none());
        assert.deepStrictEqual(yield* endpoints.change(one.id, (endpoint) => [1, endpoint]), Option.none());
      }),
    );

    it.effect("gives out what is due with all that is needed to send it, and to one claimer alone", () =>
      Effect.gen(function* () {
        const endpoint = yield* open(yield* freshAccount);
        const { event, delivery } = yield* put(endpoint);
        yield* put(endpoint, { dueAt: T0 + 1 });
        const [claimed, ...more] = yield* claimOf([endpoint]);
        assert.deepStrictEqual(more, []);
        const leased = { state: "in_flight", firstAttemptAt: T0, leaseToken: "token", leaseUntil: T0 + LEASE } as const;
        assert.deepStrictEqual(claimed!.delivery, { ...delivery, ...leased });
        assert.deepStrictEqual(claimed!.endpoint, endpoint);
        assert.strictEqual(claimed!.attempt, 1);
        assert.deepStrictEqual(Buffer.from(claimed!.event.body), Buffer.from(event.body));
        assert.deepStrictEqual(yield* claimOf([endpoint], T0, "other"), []);
      }),
    );

    it.effect("takes an event once for an endpoint and a trigger", () =>
      Effect.gen(function* () {
        const endpoint = yield* open(yield* freshAccount);
        const { event, delivery } = yield* put(endpoint);
        yield* put(endpoint, {}, event.id);
        const resend = yield* put(endpoint, { trigger: "resend:1" }, event.id);
        const known = yield* (yield* DeliveryQueue).ofEvent(endpoint.id, event.id);
        assert.sameMembers(
          known.map(({ id }) => id),
          [delivery.id, resend.delivery.id],
        );
      }),
    );

    it.effect("never exceeds an endpoint's room, whoever claims", () =>
      Effect.gen(function* () {
        const endpoint = yield* open(yield* freshAccount, { maxInFlight: 3 });
        for (let n = 0; n < 10; n++) yield* put(endpoint, { dueAt: T0 - n });
        const claims = yield* Effect.forEach(
          Array.from({ length: 12 }, (_, n) => n),
          (n) => claimOf([endpoint], T0, `token ${n}`),
          { concurrency: "unbounded" },
        );
        assert.strictEqual(claims.flat().length, 3);
        const dueAt = claims.flat().map(({ delivery }) => delivery.dueAt);
        assert.sameMembers(dueAt, [T0 - 9, T0 - 8, T0 - 7]);
      }),
    );

    it.effect("gives every endpoint a first before any has a second, and takes turns", () =>
      Effect.gen(function* () {
        const account = yield* freshAccount;
        const backlogged = yield* open(account);
        for (let n = 0; n < 4; n++) yield* put(backlogged, { dueAt: T0 - 1_000_000 });
        const healthy = yield* Effect.forEach([1, 2, 3], () => open(account));
        for (const endpoint of healthy) yield* put(endpoint);
        const all = [backlogged, ...healthy];
        const first = yield* claimOf(all, T0, "token", 4);
        assert.sameMembers(
          first.map(({ endpoint }) => endpoint.id),
          all.map(({ id }) => id),
        );
        for (const endpoint of healthy) yield* put(endpoint, { dueAt: T0 + 10 });
        const late = yield* open(account);
        yield* put(late, { dueAt: T0 + 10 });
        const [next] = yield* claimOf([...all, late], T0 + 10, "token", 1);
        assert.strictEqual(next!.endpoint.id, late.id, "the one that was never served");
      }),
    );

    it.effect("holds what is of a disabled endpoint or an older generation", () =>
      Effect.gen(function* () {
        const endpoints = yield* Endpoints;
        const endpoint = yield* open(yield* freshAccount);
        yield* put(endpoint);
        yield* endpoints.change(endpoint.id, (now) => [undefined, disableEndpoint(now, "owner", T0)]);
        assert.deepStrictEqual(yield* claimOf([endpoint]), []);
        yield* endpoints.change(endpoint.id, (now) => [undefined, enableEndpoint(now, T0)]);
        assert.deepStrictEqual(yield* claimOf([endpoint]), []);
        const current = yield* put({ ...endpoint, generation: 3 });
        assert.deepStrictEqual(ids(yield* claimOf([endpoint])), [current.delivery.id]);
      }),
    );

    it.effect("keeps the order of an ordered endpoint, which held rows do not block", () =>
      Effect.gen(function* () {
        const endpoint = yield* open(yield* freshAccount, { ordered: true, generation: 2 });
        yield* put(endpoint, { occurredAt: T0 - 9, generation: 1 });
        const second = yield* put(endpoint, { occurredAt: T0 - 1 });
        const first = yield* put(endpoint, { occurredAt: T0 - 2, dueAt: T0 + 5 });
        assert.deepStrictEqual(yield* claimOf([endpoint]), [], "the first is not due yet");
        const [claimed, ...more] = yield* claimOf([endpoint], T0 + 5);
        assert.deepStrictEqual([claimed!.delivery.id, more.length], [first.delivery.id, 0]);
        assert.deepStrictEqual(yield* claimOf([endpoint], T0 + 6), []);
        const done = settleDelivery(claimed!.delivery, endpoint, { ...OUTCOME, status: 200 }, T0 + 6, RETRY_LADDER);
        yield* (yield* DeliveryQueue).settle(done, "token", attemptOf(done, 1, T0 + 5, OUTCOME));
        assert.deepStrictEqual(ids(yield* claimOf([endpoint], T0 + 6)), [second.delivery.id]);
      }),
    );

    it.effect("saves what came of a claim with its attempt, and only for whoever holds it", () =>
      Effect.gen(function* () {
        const queue = yield* DeliveryQueue;
        const endpoint = yield* open(yield* freshAccount);
        const { event } = yield* put(endpoint);
        const [claimed] = yield* claimOf([endpoint]);
        const settled = settleDelivery(claimed!.delivery, endpoint, OUTCOME, T0 + 20, RETRY_LADDER);
        const attempt = attemptOf(settled, 1, T0, OUTCOME);
        assert.isFalse(yield* queue.settle(settled, "stale", attempt));
        assert.isTrue(yield* queue.settle(settled, "token", attempt));
        assert.isFalse(yield* queue.settle(settled, "token", attempt));
        assert.deepStrictEqual(yield* queue.ofEvent(endpoint.id, event.id), [settled]);
        assert.deepStrictEqual(yield* queue.attempts(settled.id), [attempt]);
        assert.deepStrictEqual(yield* claimOf([endpoint], T0 + 60_019), [], "not a millisecond early");
        const [again] = yield* claimOf([endpoint], T0 + 60_020);
        assert.strictEqual(again!.attempt, 2);
      }),
    );

    it.effect("takes a claim back when its lease ran out, and fences off who held it", () =>
      Effect.gen(function* () {
        const queue = yield* DeliveryQueue;
        const endpoint = yield* open(yield* freshAccount);
        yield* put(endpoint);
        const [claimed] = yield* claimOf([endpoint]);
        const { id } = claimed!.delivery;
        const reap = (now: number) =>
          Effect.map(
            queue.reap(now, (lost) => reapDelivery(lost, now, RETRY_LADDER)),
            (reaped) => reaped.filter((delivery) => delivery.id === id),
          );
        assert.isTrue(yield* queue.renew(id, "token", T0 + 20_000));
        assert.isFalse(yield* queue.renew(id, "other", T0 + 90_000));
        assert.deepStrictEqual(yield* reap(T0 + 19_999), []);
        const [reaped] = yield* reap(T0 + 20_000);
        assert.deepInclude(reaped!, { state: "pending", step: 0, lostClaims: 1, leaseToken: null, leaseUntil: null });
        assert.isFalse(yield* queue.renew(id, "token", T0 + 90_000));
        assert.isFalse(yield* queue.settle(reaped!, "token", attemptOf(reaped!, 1, T0, OUTCOME)));
        assert.deepStrictEqual(ids(yield* claimOf([endpoint], T0 + 20_000, "other")), [id]);
        assert.deepStrictEqual(yield* queue.attempts(id), []);
      }),
    );

    it.effect("forgets the deliveries of an endpoint that is removed", () =>
      Effect.gen(function* () {
        const queue = yield* DeliveryQueue;
        const account = yield* freshAccount;
        const endpoint = yield* open(account);
        const { event } = yield* put(endpoint);
        const [claimed] = yield* claimOf([endpoint]);
        yield* put(endpoint);
        yield* (yield* Endpoints).remove(account, endpoint.id);
        assert.deepStrictEqual(yield* claimOf([endpoint]), []);
        const late = attemptOf(claimed!.delivery, 1, T0, OUTCOME);
        assert.isFalse(yield* queue.settle({ ...claimed!.delivery, state: "succeeded" }, "token", late));
        assert.deepStrictEqual(yield* queue.ofEvent(endpoint.id, event.id), []);
      }),
    );
  });
