import { assert, it } from "@effect/vitest";
import type { Transaction } from "@postern/core/shared";
import { disableEndpoint, Endpoints } from "@postern/core/webhooks";
import type { HarnessStores } from "@postern/harness";
import { Clock, Context, Effect, Exit, Fiber, Layer, Option, type Scope } from "effect";
import {
  answered,
  endpointNow,
  newEndpointOn,
  newEvent,
  type OwnedEndpoint,
  type WebhookNode,
  webhookNode,
} from "./webhook-node.ts";

/** Declares tests on these stores that an event and its change of state are committed together. */
export const transactionScenario = (
  name: string,
  stores: Effect.Effect<Layer.Layer<HarnessStores | Transaction, unknown>, never, Scope.Scope>,
) => {
  /** Runs a change with its event in one transaction that ends with `end`. */
  const change = Effect.fnUntraced(function* <A, E>(
    node: WebhookNode,
    endpoint: OwnedEndpoint,
    end: Effect.Effect<A, E>,
  ) {
    const event = yield* newEvent(endpoint.account);
    const now = yield* Clock.currentTimeMillis;
    const written = Effect.gen(function* () {
      yield* node.endpoints.change([endpoint.id], (before) => [undefined, disableEndpoint(before, "owner", now)]);
      yield* node.publisher.publish([event]);
      return yield* end;
    });
    return { event, exit: yield* Effect.exit(node.transaction.run(written)) };
  });

  it.live.each([
    ["fails", Effect.fail("no")],
    ["dies", Effect.die(new Error("no"))],
    ["is interrupted", Effect.interrupt],
  ] as const)(`a write that %s leaves no event and no delivery on ${name}`, ([, end]) =>
    Effect.gen(function* () {
      const sent: Array<string> = [];
      const node = yield* webhookNode(yield* stores, ({ headers }) =>
        Effect.sync(() => {
          sent.push(headers["webhook-id"]!);
          return answered(200);
        }),
      );
      const endpoint = yield* newEndpointOn(node);
      const before = yield* endpointNow(node, endpoint);
      const { event, exit } = yield* change(node, endpoint, end);
      assert.isTrue(Exit.isFailure(exit));
      assert.strictEqual(before.state, "enabled");
      assert.deepStrictEqual(yield* endpointNow(node, endpoint), before);
      assert.deepStrictEqual(yield* node.ledger.find([event.id]), []);
      assert.deepStrictEqual(yield* node.log.ofEvents(endpoint.id, [event.id]), []);
      assert.strictEqual(yield* node.dispatcher.runDue, 0);
      assert.deepStrictEqual(sent, []);
      // The same writes, committed.
      yield* node.publisher.publish([event]);
      assert.strictEqual(yield* node.dispatcher.runDue, 1);
      assert.deepStrictEqual(sent, [event.id]);
    }),
  );

  it.live(`an ordered endpoint receives events published together in their order on ${name}`, () =>
    Effect.gen(function* () {
      const sent: Array<string> = [];
      const node = yield* webhookNode(yield* stores, ({ headers }) =>
        Effect.sync(() => {
          sent.push(headers["webhook-id"]!);
          return answered(200);
        }),
      );
      const endpoint = yield* newEndpointOn(node, { ordered: true });
      const published: Array<string> = [];
      for (let burst = 0; burst < 10; burst++) {
        // At the same time, with ids that do not sort in this order.
        const events = yield* Effect.forEach(Array.from({ length: 10 }), () => newEvent(endpoint.account));
        yield* node.publisher.publish(events);
        published.push(...events.map(({ id }) => id));
      }
      yield* node.dispatcher.runDue;
      assert.deepStrictEqual(sent, published);
      const logged = yield* node.log.page(endpoint, {}, 200);
      assert.deepStrictEqual(
        logged.map(({ delivery }) => delivery.eventId),
        published.toReversed(),
        "the log has the same order",
      );
    }),
  );

  it.live(`an endpoint whose secrets cannot be decrypted does not block others on ${name}`, () =>
    Effect.gen(function* () {
      const sent: Array<string> = [];
      const unreadable = new Set<string>();
      const node = yield* webhookNode(
        Layer.effectContext(
          Effect.map(Layer.build(yield* stores), (context) => {
            const endpoints = Context.get(context, Endpoints);
            const secrets: Endpoints["Service"]["secrets"] = (ids) =>
              Effect.map(
                endpoints.secrets(ids),
                (all) => new Map([...all].map(([id, known]) => [id, unreadable.has(id) ? Option.none() : known])),
              );
            return Context.add(context, Endpoints, { ...endpoints, secrets });
          }),
        ),
        ({ endpointId }) =>
          Effect.sync(() => {
            sent.push(endpointId);
            return answered(200);
          }),
        [60_000],
      );
      const [closed, open] = [yield* newEndpointOn(node), yield* newEndpointOn(node)];
      unreadable.add(closed.id);
      const events = [yield* newEvent(closed.account), yield* newEvent(open.account)] as const;
      yield* node.publisher.publish(events);
      assert.strictEqual(yield* node.dispatcher.runDue, 2);
      assert.deepStrictEqual(sent, [open.id]);
      const [tried] = yield* node.log.page(closed, {}, 10);
      assert.deepInclude(tried!.delivery, { state: "pending", step: 0 });
      assert.deepInclude(tried!.attempts[0]!, { status: null, errorCode: "secret_unreadable" });
    }),
  );

  it.live(`no worker sends an uncommitted event on ${name} [S9.2-1]`, () =>
    Effect.gen(function* () {
      const node = yield* webhookNode(yield* stores);
      const endpoint = yield* newEndpointOn(node);
      const event = yield* newEvent(endpoint.account);
      const worker = yield* Effect.forkChild(node.dispatcher.run);
      const written = Effect.gen(function* () {
        yield* node.publisher.publish([event]);
        yield* Effect.sleep("300 millis");
        return yield* node.log.ofEvents(endpoint.id, [event.id]);
      });
      const [inside] = yield* node.transaction.run(written);
      assert.deepInclude(inside!, { state: "pending", leaseToken: null });
      const succeeded = Effect.map(node.log.ofEvents(endpoint.id, [event.id]), ([one]) => one?.state === "succeeded");
      yield* Effect.repeat(Effect.delay(succeeded, "20 millis"), { until: (done) => done });
      yield* Fiber.interrupt(worker);
    }),
  );
};
