import { assert, describe, it } from "@effect/vitest";
import { Effect, Fiber, Layer, Metric, Option, Stream } from "effect";
import { TestClock } from "effect/testing";
import { AccountDirectory, Accounts, AccountStanding } from "../../src/accounts/index.ts";
import { AccountPaused } from "../../src/accounts/errors.ts";
import { EventLedger, eventId, type MailEvent, writeEvent } from "../../src/events/index.ts";
import { LiveEvents } from "../../src/lifecycle/LiveEvents.ts";
import type { LiveItem } from "../../src/lifecycle/LiveItem.ts";
import { Inbox, Messages } from "../../src/messages/index.ts";
import { AccountId, StoreUnavailable } from "../../src/shared/index.ts";
import { AccountWatches } from "../../src/watch/index.ts";
import { WatchStarter } from "../../src/watch/neighbours.ts";
import { Endpoints } from "../../src/webhooks/index.ts";
import { readableIds } from "../doubles.ts";

const NOW = 1_900_000_000_000;
const ME = AccountId("me@postern.test");
const DOWN = new StoreUnavailable({ detail: "away" });

const eventOf = (n: number): MailEvent =>
  writeEvent(eventId(NOW + n, `event${n}`), { id: "acc_1", email: ME }, "account.added", NOW + n, { email: ME });

/** A ledger that keeps the events at these positions, after `last` events in all. */
const world = (positions: ReadonlyArray<number>, last = positions.at(-1) ?? 0) => {
  const state = {
    entries: positions.map((position) => ({ position, event: eventOf(position) })),
    appended: Effect.never as Effect.Effect<void>,
    isDown: false,
    isPaused: false,
    watches: 0,
    reads: Array<readonly [number, number]>(),
  };
  const layer = LiveEvents.layer.pipe(
    Layer.provide([
      Layer.mock(AccountDirectory, {}),
      Layer.mock(Accounts, { idOf: () => Option.none() }),
      Layer.mock(AccountWatches, { isOursAlone: true }),
      Layer.mock(Endpoints, {}),
      Layer.mock(EventLedger, {
        lastPosition: () => Effect.succeed(last),
        newest: () => Effect.sync(() => Option.fromUndefinedOr(state.entries.at(-1))),
        positionOf: (_, id) =>
          Effect.sync(() =>
            Option.map(
              Option.fromUndefinedOr(state.entries.find(({ event }) => event.id === id)),
              ({ position }) => position,
            ),
          ),
        after: (_, after, limit) =>
          Effect.suspend(() => {
            state.reads.push([after, limit]);
            return state.isDown
              ? Effect.fail(DOWN)
              : Effect.succeed(state.entries.filter(({ position }) => position > after).slice(0, limit));
          }),
        watchAppends: () => Effect.succeed(Effect.suspend(() => state.appended)),
      }),
      Layer.mock(Inbox, {}),
      Layer.mock(Messages, {}),
      readableIds,
      Layer.mock(WatchStarter, { begin: () => Effect.sync(() => void state.watches++) }),
      Layer.mock(AccountStanding, {
        checkNotPaused: () => Effect.suspend(() => (state.isPaused ? Effect.fail(new AccountPaused()) : Effect.void)),
      }),
    ]),
  );
  return { state, layer };
};

const textOf = (item: LiveItem): string =>
  item._tag === "Event" ? item.event.id.slice(-6) : item._tag === "Position" ? `Start ${item.id}` : item._tag;

/** Advances the clock in steps, and lets the stream run after each step. */
const pass = (time: number) =>
  Effect.gen(function* () {
    for (let left = time; ; left -= 500) {
      yield* Effect.repeat(Effect.yieldNow, { times: 100 });
      if (left <= 0) return;
      yield* TestClock.adjust(Math.min(left, 500));
    }
  });

/** Reads a stream for a time; returns the items, and whether the stream ended. */
const readFor = (
  time: number,
  after?: string,
  isAllowed: Effect.Effect<boolean, StoreUnavailable> = Effect.succeed(true),
) =>
  Effect.gen(function* () {
    const { open } = yield* LiveEvents;
    const stream = yield* open(ME, after, isAllowed);
    const items: Array<string> = [];
    const fiber = yield* Effect.forkChild(
      Stream.runForEach(stream, (item) => Effect.sync(() => void items.push(textOf(item)))),
    );
    yield* pass(time);
    const hasEnded = fiber.pollUnsafe() !== undefined;
    yield* Fiber.interrupt(fiber);
    return { items, hasEnded };
  });

const itemsAfter = (after: string | undefined, positions: ReadonlyArray<number>, last?: number) =>
  Effect.map(Effect.provide(readFor(1, after), world(positions, last).layer), ({ items }) => items);

const [E1, E2, E3] = [1, 2, 3].map((n) => eventOf(n).id) as [string, string, string];

describe("a stream of events", () => {
  it.effect("begins now, with the id of the newest event or of the position [S7.9-3]", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* itemsAfter(undefined, [1, 2]), [`Start ${E2}`]);
      assert.deepStrictEqual(yield* itemsAfter(undefined, [], 7), ["Start 7"]);
    }),
  );

  it.effect("continues after the event that a client names [S7.9-2]", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* itemsAfter(E1, [1, 2, 3]), [`Start ${E1}`, "event2", "event3"]);
      assert.deepStrictEqual(yield* itemsAfter(E3, [1, 2, 3]), [`Start ${E3}`]);
    }),
  );

  it.effect("continues after a position, with a gap first if events behind it are no longer kept", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* itemsAfter("1", [2, 3]), ["Start 1", "event2", "event3"]);
      assert.deepStrictEqual(yield* itemsAfter("0", [2, 3]), ["Gap", "Start 0", "event2", "event3"]);
      assert.deepStrictEqual(yield* itemsAfter("7", [], 7), ["Start 7"]);
      assert.deepStrictEqual(yield* itemsAfter("6", [], 7), ["Gap", "Start 6"]);
    }),
  );

  it.effect("begins with a gap at the oldest event if the named one is older and no longer kept", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* itemsAfter(E1, [2, 3]), ["Gap", "Start 0", "event2", "event3"]);
      const asOld = eventId(NOW + 2, "another");
      assert.deepStrictEqual(yield* itemsAfter(asOld, [2, 3]), ["Gap", "Start 0", "event2", "event3"]);
    }),
  );

  it.effect("begins with a gap at the present after an unknown id", () =>
    Effect.gen(function* () {
      const later = eventId(NOW + 9, "another");
      for (const after of [later, "nonsense", "9", "1".repeat(16)])
        assert.deepStrictEqual(yield* itemsAfter(after, [2, 3]), ["Gap", `Start ${E3}`], after);
      assert.deepStrictEqual(yield* itemsAfter(E1, [], 1), ["Gap", "Start 1"]);
    }),
  );

  it.effect("reads fifty events at a time, and those appended later", () => {
    const { state, layer } = world(Array.from({ length: 120 }, (_, n) => n + 1));
    return Effect.gen(function* () {
      const { items } = yield* readFor(1, eventOf(10).id);
      assert.strictEqual(items.length, 111);
      assert.deepStrictEqual(
        state.reads.filter(([, limit]) => limit !== 1),
        [
          [10, 50],
          [60, 50],
          [110, 50],
          [120, 50],
        ],
      );
      state.appended = Effect.andThen(
        Effect.sleep("1 second"),
        Effect.sync(() => void state.entries.push({ position: 200, event: eventOf(999_999) })),
      );
      const later = yield* readFor(1_500, eventOf(120).id);
      assert.deepStrictEqual(later.items.slice(1), [eventOf(999_999).id.slice(-6)]);
    }).pipe(Effect.provide(layer));
  });

  it.effect("sends a heartbeat every 15 seconds without events", () =>
    Effect.gen(function* () {
      const beats = (time: number) =>
        Effect.map(Effect.provide(readFor(time), world([]).layer), ({ items }) => items.slice(1));
      assert.deepStrictEqual(yield* beats(14_999), []);
      assert.deepStrictEqual(yield* beats(45_000), ["Heartbeat", "Heartbeat", "Heartbeat"]);
    }),
  );

  it.effect("sends a heartbeat every 15 seconds although the ledger wakes the stream in between", () => {
    const { state, layer } = world([]);
    return Effect.gen(function* () {
      state.appended = Effect.sleep("4 seconds");
      const { items } = yield* readFor(45_500);
      assert.deepStrictEqual(items.slice(1), ["Heartbeat", "Heartbeat", "Heartbeat"]);
    }).pipe(Effect.provide(layer));
  });

  it.effect("sends a heartbeat every second while the store is unavailable", () => {
    const { state, layer } = world([1]);
    return Effect.gen(function* () {
      state.isDown = true;
      const { items, hasEnded } = yield* readFor(3_500);
      assert.deepStrictEqual([items.slice(1), hasEnded], [["Heartbeat", "Heartbeat", "Heartbeat"], false]);
    }).pipe(Effect.provide(layer));
  });

  it.effect("watches the account when it opens, and again every 40 seconds [S7.4-4] [S7.4-9]", () => {
    const { state, layer } = world([]);
    return Effect.gen(function* () {
      yield* readFor(39_999);
      assert.strictEqual(state.watches, 1);
      yield* readFor(80_000);
      assert.strictEqual(state.watches, 4);
    }).pipe(Effect.provide(layer));
  });

  it.effect("ends within a second of its session, or of a pause of the account [S3.4-4]", () =>
    Effect.gen(function* () {
      const endsBy = (time: number, isPaused: boolean, isAllowed: boolean) => {
        const { state, layer } = world([]);
        state.isPaused = isPaused;
        return Effect.map(
          Effect.provide(readFor(time, undefined, Effect.succeed(isAllowed)), layer),
          ({ hasEnded }) => hasEnded,
        );
      };
      assert.isFalse(yield* endsBy(10_000, false, true));
      for (const [isPaused, isAllowed] of [
        [true, true],
        [false, false],
      ] as const) {
        assert.isTrue(yield* endsBy(999, isPaused, isAllowed));
        assert.isFalse(yield* endsBy(699, isPaused, isAllowed));
      }
    }),
  );

  it.effect("continues while the store cannot say whether its session is live", () =>
    Effect.gen(function* () {
      const { hasEnded } = yield* Effect.provide(readFor(10_000, undefined, Effect.fail(DOWN)), world([]).layer);
      assert.isFalse(hasEnded);
    }),
  );

  it.effect("is counted while it is open", () => {
    const open = Effect.map(Metric.snapshot, (all) => {
      const found = all.find(({ id }) => id === "event_streams");
      return found?.type === "Gauge" ? found.state.value : undefined;
    });
    return Effect.gen(function* () {
      const { open: begin } = yield* LiveEvents;
      assert.strictEqual(yield* open, 0);
      const streams = yield* Effect.forEach([1, 2], () => begin(ME, undefined, Effect.succeed(true)));
      const fibers = yield* Effect.forEach(streams, (stream) => Effect.forkChild(Stream.runDrain(stream)));
      yield* pass(1);
      assert.strictEqual(yield* open, 2);
      yield* Fiber.interruptAll(fibers);
      assert.strictEqual(yield* open, 0);
    }).pipe(Effect.provide(world([]).layer), Effect.provideService(Metric.MetricRegistry, new Map()));
  });
});

it.effect("all kept events of an account are read, 50 at a time", () =>
  Effect.gen(function* () {
    for (const [count, starts] of [
      [49, [0]],
      [50, [0, 50]],
      [120, [0, 50, 100]],
    ] as const) {
      const { state, layer } = world(Array.from({ length: count }, (_, n) => n + 1));
      const events = yield* Effect.provide(
        Effect.flatMap(LiveEvents, ({ kept }) => Stream.runCollect(kept(ME))),
        layer,
      );
      assert.deepStrictEqual(
        events,
        state.entries.map(({ event }) => event),
      );
      assert.deepStrictEqual(
        state.reads,
        starts.map((start) => [start, 50]),
      );
    }
  }),
);
