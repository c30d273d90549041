import { assert, it } from "@effect/vitest";
import { Effect, Layer } from "effect";
import { TestClock } from "effect/testing";
import { EventLedger, EventPublisher, type MailEvent, writeEvent } from "../../src/events/index.ts";
import { events } from "../../src/events/neighbours.ts";
import { EventSubscribers } from "../../src/events/ports/EventSubscribers.ts";
import { AccountId } from "../../src/shared/index.ts";
import { numberedIds, readableIds } from "../doubles.ts";

declare const TextDecoder: new () => { decode(bytes: Uint8Array): string };

const NOW = 1_900_000_000_000;
const ME = AccountId("me@x.test");

/** A ledger that skips the events with these ids; what was appended, told to subscribers and forgotten. */
const world = (skipped: ReadonlyArray<string> = []) => {
  const state = {
    appended: Array<MailEvent>(),
    told: Array<ReadonlyArray<string>>(),
    forgotten: Array<readonly [number, number]>(),
  };
  const layer = Layer.provideMerge(
    EventPublisher.layer,
    Layer.mergeAll(
      Layer.mock(EventLedger, {
        append: (all) =>
          Effect.sync(() => {
            state.appended.push(...all);
            return all
              .filter(({ id }) => !skipped.includes(id))
              .map((event, position) => ({ position: position + 1, event }));
          }),
        forget: (before, limit) => Effect.sync(() => state.forgotten.push([NOW - before, limit]) < 3),
      }),
      Layer.succeed(EventSubscribers, [
        {
          name: "test",
          onEvents: (entries) => Effect.sync(() => void state.told.push(entries.map(({ event }) => event.id))),
        },
      ]),
      numberedIds,
      readableIds,
    ),
  );
  return { state, layer };
};

const eventOf = (id: string) => writeEvent(id, { id: "acc_1", email: ME }, "account.added", NOW, { email: ME });

it.effect("subscribers get the events that the ledger did not have yet, with their positions", () => {
  const { state, layer } = world(["evt_1"]);
  return Effect.gen(function* () {
    const { publish } = yield* EventPublisher;
    const appended = yield* publish([eventOf("evt_1"), eventOf("evt_2")]);
    assert.deepStrictEqual(
      appended.map(({ position, event }) => [position, event.id]),
      [[1, "evt_2"]],
    );
    assert.deepStrictEqual(state.told, [["evt_2"]]);
    assert.deepStrictEqual(yield* publish([]), []);
    assert.deepStrictEqual([state.told.length, state.appended.length], [1, 2]);
  }).pipe(Effect.provide(layer));
});

it.effect("an event that happens now has an id of its time, and names the account by its public id [S7.1-1]", () => {
  const { state, layer } = world();
  return Effect.gen(function* () {
    yield* TestClock.setTime(NOW);
    const { publishNow } = yield* EventPublisher;
    yield* publishNow(ME, "account.added", { email: ME });
    yield* publishNow(ME, "account.added", { email: ME });
    const [first, second] = state.appended;
    assert.deepInclude(first, { account: ME, type: "account.added", occurredAt: NOW });
    assert.notStrictEqual(first?.id, second?.id);
    assert.strictEqual(first?.id.slice(0, 13), `evt_${NOW.toString(36).padStart(9, "0")}`);
    assert.deepInclude(JSON.parse(new TextDecoder().decode(first!.body)), {
      event: "account.added",
      timestamp: new Date(NOW).toISOString(),
      account: { id: `acc_${ME}`, email: ME },
      data: { email: ME },
    });
  }).pipe(Effect.provide(layer));
});

it.effect("events are kept 14 days, and an hour longer than a replay may ask for [S7.5-10]", () => {
  const { state, layer } = world();
  return Effect.gen(function* () {
    yield* TestClock.setTime(NOW);
    for (const sweep of yield* events.sweeps) yield* sweep;
    assert.deepStrictEqual(
      state.forgotten,
      [1, 2, 3].map(() => [(14 * 24 + 1) * 3_600_000, 50]),
    );
  }).pipe(Effect.provide(layer));
});
