import { assert, layer } from "@effect/vitest";
import { EventLedger } from "@postern/core/events";
import {
  attemptOf,
  type Delivery,
  DeliveryLog,
  DeliveryQueue,
  disableEndpoint,
  enableEndpoint,
  Endpoints,
  reapDelivery,
  settleDelivery,
} from "@postern/core/webhooks";
import { RETRY_LADDER } from "@postern/core/shared";
import { Effect, type Layer, Option } from "effect";
import { freshAccount } from "../../fixtures/fresh-account.ts";
import { claimOf, ids, LEASE, open, OUTCOME, put, T0 } from "./webhook-rows.ts";

/** The contract of `DeliveryQueue` (spec 7.5). */
export const deliveryQueueContract = <E>(
  name: string,
  live: Layer.Layer<DeliveryQueue | DeliveryLog | Endpoints | EventLedger, E>,
): void =>
  layer(live)(name, (it) => {
    it.effect("claims due deliveries with the data to send them, each for one caller [S9.3-1]", () =>
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

    it.effect("inserts a delivery once per event, endpoint and trigger", () =>
      Effect.gen(function* () {
        const endpoint = yield* open(yield* freshAccount);
        const { event, delivery } = yield* put(endpoint);
        yield* put(endpoint, {}, event.id);
        const resend = yield* put(endpoint, { trigger: "resend:1" }, event.id);
        const known = yield* (yield* DeliveryLog).ofEvents(endpoint.id, [event.id]);
        assert.sameMembers(
          known.map(({ id }) => id),
          [delivery.id, resend.delivery.id],
        );
      }),
    );

    it.effect("never exceeds an endpoint's limit with several workers", () =>
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

    it.effect("gives every endpoint a first delivery before any gets a second, and takes turns [S9.3-6]", () =>
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

    it.effect("holds deliveries of a disabled endpoint or an older generation", () =>
      Effect.gen(function* () {
        const endpoints = yield* Endpoints;
        const endpoint = yield* open(yield* freshAccount);
        yield* put(endpoint);
        yield* endpoints.change([endpoint.id], (now) => [undefined, disableEndpoint(now, "owner", T0)]);
        assert.deepStrictEqual(yield* claimOf([endpoint]), []);
        yield* endpoints.change([endpoint.id], (now) => [undefined, enableEndpoint(now, T0)]);
        assert.deepStrictEqual(yield* claimOf([endpoint]), []);
        const current = yield* put({ ...endpoint, generation: 3 });
        assert.deepStrictEqual(ids(yield* claimOf([endpoint])), [current.delivery.id]);
      }),
    );

    it.effect("keeps the order of an ordered endpoint, ignoring held deliveries", () =>
      Effect.gen(function* () {
        const endpoint = yield* open(yield* freshAccount, { ordered: true, generation: 2 });
        yield* put(endpoint, { generation: 1 });
        // Deliveries are ordered by position in the ledger, not by the event's time, an id or a due time.
        const first = yield* put(endpoint, { occurredAt: T0 - 1, dueAt: T0 + 5, id: `del_z${endpoint.id}` });
        const second = yield* put(endpoint, { occurredAt: T0 - 2, id: `del_a${endpoint.id}` });
        assert.deepStrictEqual(yield* claimOf([endpoint]), [], "the first is not due yet");
        const [claimed, ...more] = yield* claimOf([endpoint], T0 + 5);
        assert.deepStrictEqual([claimed!.delivery.id, more.length], [first.delivery.id, 0]);
        assert.deepStrictEqual(yield* claimOf([endpoint], T0 + 6), []);
        const done = settleDelivery(claimed!.delivery, endpoint, { ...OUTCOME, status: 200 }, T0 + 6, RETRY_LADDER);
        const attempt = attemptOf(done, 1, T0 + 5, OUTCOME, { "webhook-id": "evt_1", "User-Agent": "Postern" });
        yield* (yield* DeliveryQueue).settle([{ delivery: done, token: "token", attempt }]);
        assert.deepStrictEqual(ids(yield* claimOf([endpoint], T0 + 6)), [second.delivery.id]);
      }),
    );

    it.effect(
      "keeps the order of each account of an ordered endpoint, and claims several accounts at once [S7.5-2]",
      () =>
        Effect.gen(function* () {
          const queue = yield* DeliveryQueue;
          const accounts = [yield* freshAccount, yield* freshAccount, yield* freshAccount] as const;
          const owner = { _tag: "Application", application: accounts[0], reach: [], notify: null } as const;
          const endpoint = yield* open(owner, { ordered: true, maxInFlight: 2 });
          const [one, two, three] = yield* Effect.forEach(accounts, (account, n) =>
            Effect.forEach([0, 1], (turn) => put(endpoint, { account, dueAt: T0 - 10 * turn + n })),
          );
          const claim = (now: number) => Effect.map(claimOf([endpoint], now), ids);
          const settle = ({ delivery }: { readonly delivery: Delivery }, status: number) => {
            const done = settleDelivery(delivery, endpoint, { ...OUTCOME, status }, T0 + 3, RETRY_LADDER);
            return queue.settle([{ delivery: done, token: "token", attempt: attemptOf(done, 1, T0, OUTCOME) }]);
          };
          assert.deepStrictEqual(yield* claim(T0), [one![0]!.delivery.id], "the others are not due yet");
          assert.deepStrictEqual(yield* claim(T0 + 3), [two![0]!.delivery.id], "the last free slot, the earliest due");
          assert.deepStrictEqual(yield* claim(T0 + 3), []);
          yield* settle(two![0]!, 500);
          assert.deepStrictEqual(
            yield* claim(T0 + 3),
            [three![0]!.delivery.id],
            "the second account waits for its retry",
          );
          yield* settle(one![0]!, 200);
          assert.deepStrictEqual(yield* claim(T0 + 3), [one![1]!.delivery.id]);
          yield* settle(three![0]!, 200);
          yield* settle(one![1]!, 200);
          assert.sameMembers(yield* claim(T0 + 60_003), [three![1]!.delivery.id, two![0]!.delivery.id]);
          yield* (yield* Endpoints).removeApplication(owner.application);
        }),
    );

    it.effect("saves a claim's outcome with its attempt, only for the holder of the claim [S9.3-2]", () =>
      Effect.gen(function* () {
        const queue = yield* DeliveryQueue;
        const endpoint = yield* open(yield* freshAccount);
        const { event } = yield* put(endpoint);
        const [claimed] = yield* claimOf([endpoint]);
        const settled = settleDelivery(claimed!.delivery, endpoint, OUTCOME, T0 + 20, RETRY_LADDER);
        const attempt = attemptOf(settled, 1, T0, OUTCOME);
        const settle = (token: string) => queue.settle([{ delivery: settled, token, attempt }]);
        assert.deepStrictEqual(yield* settle("stale"), new Set());
        assert.deepStrictEqual(yield* settle("token"), new Set([settled.id]));
        assert.deepStrictEqual(yield* settle("token"), new Set());
        const log = yield* DeliveryLog;
        assert.deepStrictEqual(yield* log.ofEvents(endpoint.id, [event.id]), [settled]);
        assert.deepStrictEqual(
          yield* log.find(endpoint.id, settled.id),
          Option.some({ delivery: settled, attempts: [attempt] }),
        );
        assert.deepStrictEqual(yield* claimOf([endpoint], T0 + 60_019), [], "not a millisecond early");
        const [again] = yield* claimOf([endpoint], T0 + 60_020);
        assert.strictEqual(again!.attempt, 2);
      }),
    );

    it.effect("records in the endpoint the attempts of claims that were still held", () =>
      Effect.gen(function* () {
        const endpoint = yield* open(yield* freshAccount, { maxInFlight: 5, consecutiveFailures: 3 });
        for (let n = 0; n < 5; n++) yield* put(endpoint, { dueAt: T0 - 9 + n });
        const claims = yield* claimOf([endpoint]);
        const settled = (nth: number, status: number, ms: number, token = "token") => {
          const { delivery } = claims.toSorted((a, b) => a.delivery.dueAt - b.delivery.dueAt)[nth]!;
          const outcome = { ...OUTCOME, status, errorCode: null, ms };
          const after = settleDelivery(delivery, endpoint, outcome, T0 + ms, RETRY_LADDER);
          return { delivery: after, token, attempt: attemptOf(after, 1, T0, outcome) };
        };
        const { settle } = yield* DeliveryQueue;
        const recorded = Effect.map((yield* Endpoints).find(endpoint.owner, endpoint.id), Option.getOrThrow);
        yield* settle([settled(0, 500, 30), settled(1, 503, 40), settled(2, 200, 90, "stale")]);
        const failed = { ...endpoint, lastDeliveryAt: T0 + 40, lastStatus: 503, consecutiveFailures: 5 };
        assert.deepStrictEqual(yield* recorded, failed);
        // Attempts count in the order in which they ended, not in the order of the list.
        yield* settle([settled(4, 500, 70), settled(2, 204, 50), settled(3, 410, 45)]);
        assert.deepStrictEqual(yield* recorded, {
          ...failed,
          lastDeliveryAt: T0 + 70,
          lastStatus: 500,
          lastSuccessAt: T0 + 50,
          consecutiveFailures: 1,
        });
      }),
    );

    it.effect("reclaims a delivery whose lease expired, and fences off the former holder [S9.3-3]", () =>
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
        assert.deepStrictEqual(
          yield* queue.renew([id, "dlv_none"], { token: "token", until: T0 + 20_000 }),
          new Set([id]),
        );
        assert.deepStrictEqual(yield* queue.renew([id], { token: "other", until: T0 + 90_000 }), new Set());
        assert.deepStrictEqual(yield* reap(T0 + 19_999), []);
        assert.isTrue(yield* queue.hasExpired(T0 + 20_000));
        const [reaped] = yield* reap(T0 + 20_000);
        assert.deepInclude(reaped!, { state: "pending", step: 0, lostClaims: 1, leaseToken: null, leaseUntil: null });
        assert.deepStrictEqual(yield* queue.renew([id], { token: "token", until: T0 + 90_000 }), new Set());
        const late = { delivery: reaped!, token: "token", attempt: attemptOf(reaped!, 1, T0, OUTCOME) };
        assert.deepStrictEqual(yield* queue.settle([late]), new Set());
        assert.deepStrictEqual(ids(yield* claimOf([endpoint], T0 + 20_000, "other")), [id]);
        const found = Option.getOrThrow(yield* (yield* DeliveryLog).find(endpoint.id, id));
        assert.deepStrictEqual(found.attempts, []);
      }),
    );

    it.effect("releases unsent claims without counting an attempt [S9.3-3]", () =>
      Effect.gen(function* () {
        const queue = yield* DeliveryQueue;
        const endpoint = yield* open(yield* freshAccount);
        const { delivery } = yield* put(endpoint);
        yield* claimOf([endpoint]);
        yield* queue.release([delivery.id], "stale", T0);
        assert.deepStrictEqual(yield* claimOf([endpoint], T0 + 1, "other"), []);
        yield* queue.release([delivery.id], "token", T0);
        const [again] = yield* claimOf([endpoint], T0 + 1, "other");
        assert.deepInclude(again!.delivery, { id: delivery.id, step: 0, lostClaims: 0, firstAttemptAt: T0 });
        assert.strictEqual(again!.attempt, 1);
      }),
    );

    it.effect("is drained by twelve workers without exceeding any endpoint's limit", () =>
      Effect.gen(function* () {
        const queue = yield* DeliveryQueue;
        const account = yield* freshAccount;
        const endpoints = yield* Effect.forEach([1, 2, 3, 4], (maxInFlight) => open(account, { maxInFlight }));
        for (const endpoint of endpoints) for (let n = 0; n < 12; n++) yield* put(endpoint);
        const inFlight = new Map(endpoints.map(({ id }) => [id, 0]));
        const sent: Array<string> = [];
        const worker = Effect.fnUntraced(function* (token: string) {
          for (let idle = 0; sent.length < 48 && idle < 500; idle++) {
            const claimed = yield* claimOf(endpoints, T0, token, 5);
            for (const { endpoint } of claimed) {
              const now = (inFlight.get(endpoint.id) ?? 0) + 1;
              inFlight.set(endpoint.id, now);
              assert.isAtMost(now, endpoint.maxInFlight);
            }
            yield* Effect.yieldNow;
            for (const { delivery, endpoint, attempt } of claimed) {
              idle = 0;
              sent.push(delivery.id);
              const settled = settleDelivery(delivery, endpoint, { ...OUTCOME, status: 200 }, T0, RETRY_LADDER);
              // The number changes before the settlement, because a claim may follow at once.
              inFlight.set(endpoint.id, inFlight.get(endpoint.id)! - 1);
              yield* queue.settle([{ delivery: settled, token, attempt: attemptOf(settled, attempt, T0, OUTCOME) }]);
            }
          }
        });
        yield* Effect.forEach(
          Array.from({ length: 12 }, (_, n) => `claimer ${n}`),
          worker,
          { concurrency: "unbounded" },
        );
        assert.deepStrictEqual([sent.length, new Set(sent).size], [48, 48]);
      }),
    );

    it.effect("serves endpoints with free slots behind any number of full ones", () =>
      Effect.gen(function* () {
        const [one, other] = [yield* freshAccount, yield* freshAccount];
        const hung = yield* Effect.forEach(Array.from({ length: 110 }), (_, n) =>
          open(n % 2 === 0 ? one : other, { maxInFlight: 1 }),
        );
        for (const endpoint of hung) for (let n = 0; n < 2; n++) yield* put(endpoint, { dueAt: T0 - 1_000_000 });
        let taken = 0;
        for (let round = 0; round < 8; round++) taken += (yield* claimOf(hung)).length;
        assert.strictEqual(taken, 110, "each has one in flight, which never ends");
        const healthy = yield* Effect.forEach(Array.from({ length: 20 }), () => open(one));
        for (const endpoint of healthy) yield* put(endpoint);
        assert.strictEqual((yield* claimOf([...hung, ...healthy], T0, "token", 20)).length, 20);
      }),
    );

    it.effect("returns the next due time, ignoring deliveries that cannot be sent", () =>
      Effect.gen(function* () {
        const queue = yield* DeliveryQueue;
        const account = yield* freshAccount;
        // This is long before the deliveries of other tests.
        const then = T0 - 1_000_000_000;
        const lookAt = Effect.map(
          queue.nextDue,
          Option.filter((at) => at < T0 - 500_000_000),
        );
        const endpoint = yield* open(account, { maxInFlight: 1, generation: 2 });
        yield* put(endpoint, { dueAt: then, generation: 1 });
        const off = yield* open(account, { state: "disabled" });
        yield* put(off, { dueAt: then });
        assert.deepStrictEqual(yield* lookAt, Option.none(), "held");
        yield* put(endpoint, { dueAt: then + 7 });
        yield* put(endpoint, { dueAt: then + 8 });
        assert.deepStrictEqual(yield* lookAt, Option.some(then + 7));
        yield* claimOf([endpoint], then + 8);
        assert.deepStrictEqual(yield* lookAt, Option.some(then + 8 + LEASE), "a lease, and no row beyond the cap");
        yield* queue.reap(then + 8 + LEASE, (lost) => ({ ...lost, state: "cancelled", leaseUntil: null }));
        const ordered = yield* open(account, { ordered: true });
        yield* put(endpoint, { dueAt: then + 100_000 });
        yield* put(ordered, { dueAt: then + 50_000 });
        yield* put(ordered, { dueAt: then });
        yield* claimOf([endpoint], then + 8);
        yield* queue.reap(then + 8 + LEASE, (lost) => ({ ...lost, state: "cancelled", leaseUntil: null }));
        assert.deepStrictEqual(yield* lookAt, Option.some(then + 50_000), "the head alone");
        while (yield* (yield* Endpoints).erase(account, 100));
      }),
    );

    it.effect("wakes a worker when a delivery is queued, even if it waits later", () =>
      Effect.gen(function* () {
        const queue = yield* DeliveryQueue;
        yield* put(yield* open(yield* freshAccount));
        yield* queue.changed;
      }),
    );

    it.effect("counts due deliveries that are not sent yet", () =>
      Effect.gen(function* () {
        const queue = yield* DeliveryQueue;
        const endpoint = yield* open(yield* freshAccount, { generation: 2 });
        const before = yield* queue.countBacklog(T0);
        yield* put(endpoint);
        yield* put(endpoint, { dueAt: T0 + 1 });
        yield* put(endpoint, { generation: 1 });
        assert.strictEqual((yield* queue.countBacklog(T0)) - before, 1);
      }),
    );
  });
