import { assert, describe, it } from "@effect/vitest";
import { Effect, Option } from "effect";
import { takeOldest } from "../../src/arrivals/catch-up.ts";
import type { PolledSync } from "../../src/arrivals/poll-folder.ts";
import { cursorAt, followed, inboxOf, KNOWN, message, NOW, QUIET, syncOf } from "./inbox-in-memory.ts";

/** A folder in which these messages arrived, the first with UID 10. */
const folder = (folderId: string, ...ages: ReadonlyArray<number>): PolledSync => {
  const messages = ages.map((age, n) => message(10 + n, { arrivedAt: NOW - age }));
  return {
    id: folderId,
    folderId,
    before: cursorAt(10),
    known: Option.none(),
    sync: {
      cursor: cursorAt(10 + ages.length),
      seenFrom: 1,
      changes: messages.map((one) => ({ _tag: "Received", message: one })),
      reset: false,
      remember: messages,
      forget: [],
    },
  };
};
const uidsOf = ({ sync }: PolledSync) => sync.changes.map((change) => change.message.uid);
const isMarked = ({ sync }: PolledSync) =>
  sync.changes.every((change) => change._tag === "Received" && change.isBackfill === true);
const none = new Set<string>();

describe("arrivals after an outage", () => {
  it("are the oldest of all folders, and the cursors stay before the remaining arrivals", () => {
    const { synced, left } = takeOldest([folder("a", 9, 5, 1), folder("b", 8, 7), folder("c")], none, 3);
    assert.deepStrictEqual(synced.map(uidsOf), [[10], [10, 11], []]);
    assert.isTrue(synced.every(isMarked));
    assert.deepStrictEqual([...left], ["a"]);
    assert.deepStrictEqual(
      synced.map(({ sync }) => sync.cursor.uidNext),
      [11, 12, 10],
    );
    assert.deepStrictEqual(
      synced.map(({ sync }) => sync.remember.length),
      [1, 2, 0],
    );
  });

  it("of one folder are in the order of their UIDs", () => {
    assert.deepStrictEqual(takeOldest([folder("a", 1, 9), folder("b", 5)], none, 2).synced.map(uidsOf), [[10], [10]]);
  });

  it("wait until all older arrivals of a folder are polled", () => {
    const { synced, left } = takeOldest([folder("a", 9), folder("b", 8)], new Set(["a"]), 5);
    assert.deepStrictEqual(synced.map(uidsOf), [[10], []]);
    assert.deepStrictEqual([...left], ["b"]);
  });

  it("are all announced under a new UIDVALIDITY", () => {
    const one = folder("a", 9, 8, 7);
    const { synced, left } = takeOldest([{ ...one, sync: { ...one.sync, reset: true } }], none, 1);
    assert.deepStrictEqual([synced.map(uidsOf), synced.every(isMarked), left.size], [[[10, 11, 12]], true, 0]);
  });

  it.effect("are announced with backfill: true, at most 50 in one step [S7.4-10]", () =>
    Effect.gen(function* () {
      const arrived = Array.from({ length: 60 }, (_, n) => message(10 + n));
      const came = { ...QUIET, cursor: cursorAt(70), arrived };
      const world = followed(KNOWN);
      const first = yield* syncOf(world, inboxOf([came]), true);
      assert.lengthOf(first.events, 50);
      assert.isTrue(first.events.every(({ data }) => data.backfill === true));
      assert.strictEqual(first.known?.cursor.uidNext, 60);
      yield* syncOf(world, inboxOf([came]), true);
      assert.lengthOf(world.state.events, 60);
      assert.strictEqual(new Set(world.state.events.map(({ data }) => data.uid)).size, 60);
    }),
  );

  it.effect("that come while the account is followed are not a backfill", () =>
    Effect.gen(function* () {
      const { events } = yield* syncOf(
        followed(KNOWN),
        inboxOf([{ ...QUIET, cursor: cursorAt(11), arrived: [message(10)] }]),
      );
      assert.deepStrictEqual(
        events.map(({ data }) => data.backfill),
        [undefined],
      );
    }),
  );
});
