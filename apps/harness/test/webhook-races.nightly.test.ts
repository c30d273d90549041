import { assert, it } from "@effect/vitest";
import { attemptOf, disableEndpoint, enableEndpoint, type Endpoint } from "@postern/core/webhooks";
import { describeWithPostgres, Postgres } from "@postern/testkit";
import { Clock, Context, Effect, Layer, Option } from "effect";
import { describe } from "vitest";
import { postgresStores } from "./sql-stores.ts";
import {
  answered,
  endpointNow,
  newEndpointOn,
  newEvent,
  type OwnedEndpoint,
  type WebhookNode,
  webhookNode,
} from "./webhook-node.ts";
import { transactionScenario } from "./webhook-transactions.ts";

const ROUNDS = 30;
const LEASE = 60_000;

const newDatabase = Effect.gen(function* () {
  const postgres = yield* Layer.build(Postgres.layer);
  return yield* Context.get(postgres, Postgres).newDatabase;
});

/** Runs all effects concurrently, shifted by a few milliseconds in each round, because a settlement takes several. */
const together = (round: number, effects: ReadonlyArray<Effect.Effect<unknown, unknown>>) =>
  Effect.forEach(effects, (effect, n) => Effect.delay(effect, ((n + 1) * (round * 5)) % 31), {
    concurrency: "unbounded",
    discard: true,
  });

const disable = (node: WebhookNode, { id }: Endpoint) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    node.endpoints.change([id], (before) => [undefined, disableEndpoint(before, "owner", now)]),
  );

const enable = (node: WebhookNode, { id }: Endpoint) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    node.endpoints.change([id], (before) => [undefined, enableEndpoint(before, now)]),
  );

const publish = Effect.fnUntraced(function* (node: WebhookNode, { account }: OwnedEndpoint) {
  const event = yield* newEvent(account);
  yield* node.transaction.run(node.publisher.publish([event]));
  return event;
});

const claim = Effect.fnUntraced(function* (node: WebhookNode, token: string, limit = 100) {
  const now = yield* Clock.currentTimeMillis;
  return yield* node.queue.claim(now, { token, until: now + LEASE }, limit);
});

/** Settles a claim as a worker does. */
const settle = Effect.fnUntraced(function* (
  node: WebhookNode,
  claimed: Effect.Success<ReturnType<typeof claim>>[number],
  status: number,
) {
  const now = yield* Clock.currentTimeMillis;
  const outcome = answered(status);
  const attempt = attemptOf(claimed.delivery, claimed.attempt, now, outcome);
  yield* node.settlement.settle({ claimed, token: claimed.delivery.leaseToken!, attempt, outcome, endedAt: now });
});

/** Returns how often the owner was notified by e-mail and by event. */
const told = Effect.fnUntraced(function* (node: WebhookNode, { account }: OwnedEndpoint) {
  const mails = yield* node.journal.list({ account }, yield* Clock.currentTimeMillis, 100);
  const events = yield* node.ledger.list(account);
  return [mails.length, events.filter(({ type }) => type === "webhook.disabled").length];
});

describeWithPostgres("webhooks of two nodes on PostgreSQL", () => {
  describe("transactions", () => {
    transactionScenario("PostgreSQL", Effect.map(newDatabase, postgresStores));
  });

  const twoNodes = Effect.gen(function* () {
    const url = yield* newDatabase;
    return [yield* webhookNode(postgresStores(url)), yield* webhookNode(postgresStores(url))] as const;
  });

  it.live("disabling holds due deliveries, even while others are settled and published", () =>
    Effect.gen(function* () {
      const [one, other] = yield* twoNodes;
      for (let round = 0; round < ROUNDS; round++) {
        const endpoint = yield* newEndpointOn(one, { maxInFlight: 2 });
        const first = [yield* publish(one, endpoint), yield* publish(one, endpoint)];
        const [success, failure] = yield* claim(one, `round ${round}`);
        const due = yield* publish(one, endpoint);
        const racing: Array<string> = [];
        yield* together(round, [
          disable(other, endpoint),
          settle(one, success!, 200),
          settle(one, failure!, 500),
          ...[one, other].map((node) =>
            Effect.tap(publish(node, endpoint), ({ id }) => Effect.sync(() => void racing.push(id))),
          ),
        ]);

        // Only the first of the two disables the endpoint: the owner's request or the end of the ladder.
        const disabled = yield* endpointNow(one, endpoint);
        assert.deepInclude(disabled, { state: "disabled", generation: 2 });
        const byLadder = disabled.disabledReason === "exhausted" ? 1 : 0;
        assert.deepStrictEqual(yield* told(one, endpoint), [byLadder, byLadder]);
        const settled = yield* one.log.ofEvents(
          endpoint.id,
          first.map(({ id }) => id),
        );
        assert.sameMembers(
          settled.map(({ state }) => state),
          ["succeeded", "exhausted"],
        );
        for (const { delivery } of [success!, failure!]) {
          const { attempts } = Option.getOrThrow(yield* one.log.find(endpoint.id, delivery.id));
          assert.lengthOf(attempts, 1);
        }

        const isOurs = ({ endpoint: { id } }: { readonly endpoint: Endpoint }) => id === endpoint.id;
        assert.deepStrictEqual((yield* claim(other, "late")).filter(isOurs), []);
        yield* enable(one, endpoint);
        assert.deepStrictEqual((yield* claim(other, "late")).filter(isOurs), [], "held until it is replayed");
        const held = yield* one.log.ofEvents(endpoint.id, [due.id, ...racing]);
        assert.deepStrictEqual(
          held.map(({ state, step }) => [state, step]),
          held.map(() => ["pending", 0]),
        );
        assert.lengthOf(held, 3);
        const fresh = yield* publish(other, endpoint);
        const [next] = (yield* claim(other, `fresh ${round}`)).filter(isOurs);
        assert.strictEqual(next?.event.id, fresh.id);
      }
    }),
  );

  it.live("a delivery of an older generation that exhausts its ladder does not disable the endpoint", () =>
    Effect.gen(function* () {
      const [one, other] = yield* twoNodes;
      const endpoint = yield* newEndpointOn(one);
      yield* publish(one, endpoint);
      yield* publish(one, endpoint);
      const [late, later] = yield* claim(one, "late");
      yield* disable(other, endpoint);
      yield* enable(other, endpoint);
      const before = yield* endpointNow(one, endpoint);
      yield* settle(one, late!, 500);
      assert.deepInclude(yield* endpointNow(one, endpoint), { state: "enabled", generation: before.generation });
      yield* settle(one, later!, 204);
      assert.deepInclude(yield* endpointNow(one, endpoint), { state: "enabled", generation: 3, lastStatus: 204 });
      assert.deepStrictEqual(yield* told(one, endpoint), [0, 0]);
    }),
  );

  it.live(
    "ten deliveries that exhaust together on two nodes disable their endpoint once and notify its owner once",
    () =>
      Effect.gen(function* () {
        const [one, other] = yield* twoNodes;
        const endpoint = yield* newEndpointOn(one);
        for (let n = 0; n < 20; n++) yield* publish(one, endpoint);
        const claimed = [...(yield* claim(one, "one", 5)), ...(yield* claim(other, "other", 5))];
        assert.lengthOf(claimed, 10);
        yield* together(
          0,
          claimed.map((its, n) => settle(n < 5 ? one : other, its, 500)),
        );
        assert.deepInclude(yield* endpointNow(one, endpoint), {
          state: "disabled",
          disabledReason: "exhausted",
          generation: 2,
        });
        assert.deepStrictEqual(yield* told(one, endpoint), [1, 1]);
        assert.deepStrictEqual(yield* claim(other, "late"), [], "the other ten are held");
      }),
  );
});
