import { assert, layer } from "@effect/vitest";
import { EventLedger } from "@postern/core/events";
import { DeliveryLog, type DeliveryQueue, Endpoints, type EventPlace } from "@postern/core/webhooks";
import { Effect, type Layer, Option } from "effect";
import { freshAccount } from "../../fixtures/fresh-account.ts";
import { claimOf, ids, open, put, T0 } from "./webhook-rows.ts";

/** The contract of `DeliveryLog` (spec 7). */
export const deliveryLogContract = <E>(
  name: string,
  live: Layer.Layer<DeliveryQueue | DeliveryLog | Endpoints | EventLedger, E>,
): void =>
  layer(live)(name, (it) => {
    it.effect("deletes up to `limit` events with their deliveries, oldest first", () =>
      Effect.gen(function* () {
        const ledger = yield* EventLedger;
        const log = yield* DeliveryLog;
        const endpoint = yield* open(yield* freshAccount);
        const old = [yield* put(endpoint, { occurredAt: 7 }), yield* put(endpoint, { occurredAt: 8 })];
        const young = yield* put(endpoint, { occurredAt: 9 });
        const known = Effect.map(
          log.ofEvents(
            endpoint.id,
            [...old, young].map(({ event }) => event.id),
          ),
          (rows) => rows.map(({ id }) => id),
        );
        const [first, second] = old.map(({ event }) => event.id) as [string, string];
        while ((yield* ledger.find([first])).length > 0) assert.isTrue(yield* ledger.forget(9, 1));
        assert.lengthOf(yield* ledger.find([second]), 1);
        assert.deepStrictEqual(yield* known, [old[1]!.delivery.id, young.delivery.id]);
        while (yield* ledger.forget(9, 10));
        assert.deepStrictEqual(yield* ledger.find([first, second]), []);
        assert.deepStrictEqual(yield* known, [young.delivery.id]);
        assert.deepStrictEqual(ids(yield* claimOf([endpoint])), [young.delivery.id]);
      }),
    );

    it.effect("pages through an endpoint's deliveries, newest first, and separates held from pending [S7.6-6]", () =>
      Effect.gen(function* () {
        const log = yield* DeliveryLog;
        const endpoint = yield* open(yield* freshAccount, { generation: 2 });
        const other = yield* open(yield* freshAccount);
        yield* put(other);
        const made = [yield* put(endpoint, { generation: 1 }), yield* put(endpoint), yield* put(endpoint)].map(
          ({ delivery }) => delivery,
        );
        const idsOf = (filter: Parameters<typeof log.page>[1], limit = 10, as = endpoint) =>
          Effect.map(log.page(as, filter, limit), (page) => page.map(({ delivery }) => delivery.id));
        const [held, first, second] = made.map(({ id }) => id) as [string, string, string];
        assert.deepStrictEqual(yield* idsOf({}), [second, first, held]);
        assert.deepStrictEqual(yield* idsOf({}, 2), [second, first]);
        assert.deepStrictEqual(yield* idsOf({ before: first }), [held]);
        assert.deepStrictEqual(yield* idsOf({ state: "held" }), [held]);
        assert.deepStrictEqual(yield* idsOf({ state: "pending" }), [second, first]);
        assert.deepStrictEqual(yield* idsOf({ state: "exhausted" }), []);
        assert.deepStrictEqual(yield* idsOf({ type: "webhook.test" }, 1), [second]);
        assert.deepStrictEqual(yield* idsOf({ type: "email.sent" }), []);
        assert.deepStrictEqual(yield* idsOf({ type: "webhook.test", state: "pending", before: second }), [first]);
        assert.deepStrictEqual(yield* idsOf({ type: "webhook.test", state: "held", before: held }), []);
        assert.deepStrictEqual(yield* idsOf({ type: "email.sent", state: "held" }), []);
        const disabled = { ...endpoint, state: "disabled" as const };
        assert.deepStrictEqual(yield* idsOf({ state: "held" }, 10, disabled), [second, first, held]);
        assert.deepStrictEqual(yield* idsOf({ state: "pending" }, 10, disabled), []);
        assert.deepStrictEqual(yield* log.find(other.id, first), Option.none());
      }),
    );

    it.effect("returns each replayable event once and in order, and saves the replayed deliveries", () =>
      Effect.gen(function* () {
        const log = yield* DeliveryLog;
        const endpoint = yield* open(yield* freshAccount);
        const late = yield* put(endpoint, { occurredAt: T0 + 2 });
        const early = yield* put(endpoint, { occurredAt: T0 + 1 });
        yield* put(endpoint, { occurredAt: T0 + 1, trigger: "resend:1" }, early.event.id);
        yield* put(endpoint, { occurredAt: T0 + 1, state: "succeeded" });
        yield* put(endpoint, { occurredAt: T0 + 9 });
        const range = { since: T0 + 1, until: T0 + 9, after: null };
        const places = [early, late].map(({ delivery: { eventId, occurredAt, position } }) => ({
          eventId,
          occurredAt,
          position,
        }));
        assert.deepStrictEqual(yield* log.listReplayable(endpoint.id, range, 10), places);
        assert.deepStrictEqual(yield* log.listReplayable(endpoint.id, { ...range, after: places[0]! }, 10), [
          places[1]!,
        ]);
        assert.deepStrictEqual(yield* log.listReplayable(endpoint.id, range, 1), [places[0]!]);
        assert.deepStrictEqual(yield* log.listReplayable(endpoint.id, { ...range, after: places[1]! }, 10), []);
        const revised = { ...late.delivery, generation: 7, dueAt: T0 + 3, step: 0, state: "pending" as const };
        yield* log.revise([revised]);
        assert.deepStrictEqual(yield* log.ofEvents(endpoint.id, [late.event.id]), [revised]);
      }),
    );

    it.effect("returns replayable events of several accounts with the same time and position, each once", () =>
      Effect.gen(function* () {
        const log = yield* DeliveryLog;
        const accounts = [yield* freshAccount, yield* freshAccount, yield* freshAccount] as const;
        const endpoint = yield* open({ _tag: "Application", application: accounts[0], reach: [], notify: null });
        const made = yield* Effect.forEach(accounts, (account) => put(endpoint, { account }));
        assert.deepStrictEqual(new Set(made.map(({ delivery }) => delivery.position)), new Set([1]));
        const found: Array<string> = [];
        for (let after: EventPlace | null = null; ;) {
          const [place]: ReadonlyArray<EventPlace> = yield* log.listReplayable(
            endpoint.id,
            { since: T0, until: T0 + 1, after },
            1,
          );
          if (place === undefined) break;
          found.push(place.eventId);
          after = place;
        }
        assert.deepStrictEqual(found, made.map(({ event }) => event.id).toSorted());
        yield* (yield* Endpoints).removeApplication(accounts[0]);
      }),
    );
  });
