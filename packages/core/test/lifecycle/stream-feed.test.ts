import { assert, describe, it } from "@effect/vitest";
import { Effect, Fiber, Layer, Option, Stream } from "effect";
import { TestClock } from "effect/testing";
import { AccountDirectory, newAccount } from "../../src/accounts/index.ts";
import { eventId, type LedgerEntry, writeEvent } from "../../src/events/index.ts";
import type { FeedPorts, KeyReader } from "../../src/lifecycle/read-feed.ts";
import { streamFeed } from "../../src/lifecycle/stream-feed.ts";
import { AccountId } from "../../src/shared/index.ts";
import { WatchStarter } from "../../src/watch/neighbours.ts";
import { Endpoints } from "../../src/webhooks/index.ts";
import { applicationWatches } from "../../src/webhooks/neighbours.ts";

const NOW = 1_900_000_000_000;
const ANN = AccountId("ann@one.test");
const BOB = AccountId("bob@two.test");

/** Advances the clock in steps, and lets the stream run after each step. */
const pass = (time: number) =>
  Effect.gen(function* () {
    for (let left = time; ; left -= 500) {
      yield* Effect.repeat(Effect.yieldNow, { times: 100 });
      if (left <= 0) return;
      yield* TestClock.adjust(Math.min(left, 500));
    }
  });

/** A ledger with an event of each of these accounts, numbered after `forgotten`; and a key that reaches all accounts. */
const world = (of: ReadonlyArray<AccountId>, forgotten = 0) => {
  const entries: Array<LedgerEntry> = [];
  const append = (account: AccountId) => {
    const n = forgotten + entries.length + 1;
    const at = { id: "acc", email: account };
    const event = writeEvent(eventId(NOW, `e${n}`), at, "account.added", NOW, { email: account });
    entries.push({ position: n, event: { ...event, account } });
  };
  for (const account of of) append(account);
  const state = { reader: Option.some<KeyReader>({ reach: null, application: "crm" }), log: Array<string>() };
  const known = [ANN, BOB].map((id) => ({ ...newAccount(id, NOW + 1_000), managed: true }));
  const note = (what: string) => Effect.sync(() => void state.log.push(what));
  const directory = Layer.mock(AccountDirectory, {
    find: (id) => Effect.succeed(Option.fromUndefinedOr(known.find((one) => one.id === id))),
    list: ({ reach }, after) =>
      Effect.succeed(after === null ? known.filter(({ id }) => reach?.includes(`*@${id.split("@")[1]}`) ?? true) : []),
  });
  const watches = Layer.mock(WatchStarter, {
    begin: (account) => note(`begin ${account}`),
    resume: (account) => note(`resume ${account}`),
  });
  const ledger = {
    numberEvents: Effect.sync(() => ({ epoch: "e1", last: forgotten + entries.length, forgotten })),
    listNumbered: (after: number, _: unknown, limit: number) =>
      Effect.sync(() => entries.filter(({ position }) => position > after).slice(0, limit)),
    find: ([id]: ReadonlyArray<string>) =>
      Effect.sync(() => entries.filter(({ event }) => event.id === id).map(({ event }) => event)),
    numberOf: ({ id }: { readonly id: string }) =>
      Effect.sync(() => entries.find(({ event }) => event.id === id)!.position),
    watchAppends: () => Effect.succeed(Effect.sleep("1 second")),
  };
  /** Reads a stream for a time, and then appends events of these accounts; returns the items. */
  const read = (after?: string, later: ReadonlyArray<AccountId> = [], time = 2_000) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW);
      const ports = { ledger, directory: yield* AccountDirectory, watches: {} } as unknown as FeedPorts;
      const stream = yield* streamFeed(
        ports,
        yield* applicationWatches,
        after,
        ["inbox"],
        Effect.sync(() => state.reader),
      );
      const items: Array<string> = [];
      const fiber = yield* Effect.forkChild(
        Stream.runForEach(stream, (item) =>
          Effect.sync(() => void items.push("id" in item ? `${item._tag} ${item.id}` : item._tag)),
        ),
      );
      yield* pass(0);
      for (const account of later) append(account);
      yield* pass(time);
      yield* Fiber.interrupt(fiber);
      return items;
    }).pipe(Effect.provide([directory, watches, Layer.mock(Endpoints, {})]));
  return { state, entries, read };
};

describe("a stream of all that a key reaches", () => {
  it.effect("begins now, with one position for the events of all accounts [S7.9-4]", () =>
    Effect.gen(function* () {
      const { read } = world([ANN, BOB]);
      assert.deepStrictEqual(yield* read(undefined, [BOB, ANN]), ["Position e1.2", "Event e1.3", "Event e1.4"]);
    }),
  );

  it.effect("continues after a position, and after an event that a program handled [S7.9-4]", () =>
    Effect.gen(function* () {
      const { read, entries } = world([ANN, BOB, ANN]);
      assert.deepStrictEqual(yield* read("e1.1"), ["Position e1.1", "Event e1.2", "Event e1.3"]);
      assert.deepStrictEqual(yield* read(entries[1]!.event.id), ["Position e1.2", "Event e1.3"]);
    }),
  );

  it.effect(
    "begins with a gap at the present after a position that is no longer kept, or of another database [S7.9-5]",
    () =>
      Effect.gen(function* () {
        for (const after of ["e1.9", "e1.13", "e0.11", eventId(NOW, "another"), "nonsense"]) {
          const { read } = world([ANN, BOB], 10);
          assert.deepStrictEqual(yield* read(after, [ANN]), ["Gap", "Position e1.12", "Event e1.13"], after);
        }
      }),
  );

  it.effect("checks the reach at each read, and moves the position past events of other accounts [S7.9-6]", () =>
    Effect.gen(function* () {
      const { read, state } = world([ANN]);
      state.reader = Option.some({ reach: ["*@two.test"], application: "crm" });
      assert.deepStrictEqual(yield* read("e1.0", [BOB]), ["Position e1.0", "Event e1.2"]);
      state.reader = Option.some({ reach: ["*@three.test"], application: "crm" });
      assert.deepStrictEqual(yield* read("e1.0"), ["Position e1.0"]);
      state.reader = Option.none();
      assert.deepStrictEqual(yield* read("e1.0"), ["Position e1.0", "Heartbeat", "Heartbeat"]);
    }),
  );

  it.effect("says where it is every 15 seconds, although events of other accounts wake it [S7.9-6]", () =>
    Effect.gen(function* () {
      const { read, state } = world([]);
      state.reader = Option.some({ reach: ["*@three.test"], application: "crm" });
      const items = yield* read("e1.0", [ANN, BOB], 30_500);
      assert.deepStrictEqual(items, ["Position e1.0", "Position e1.2", "Heartbeat"]);
    }),
  );

  it.effect("watches the accounts in the reach, and a new one from its creation on [S7.9-6]", () =>
    Effect.gen(function* () {
      const { read, state } = world([]);
      state.reader = Option.some({ reach: ["*@two.test"], application: "crm" });
      yield* read(undefined, [BOB]);
      assert.deepStrictEqual([...new Set(state.log)], [`resume ${BOB}`]);
    }),
  );
});
