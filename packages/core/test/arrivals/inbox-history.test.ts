import { assert, describe, it } from "@effect/vitest";
import { Effect, Layer } from "effect";
import { TestClock } from "effect/testing";
import { ArrivalSync } from "../../src/arrivals/ArrivalSync.ts";
import type { InboxPoll, WatchedInbox } from "../../src/watch/index.ts";
import {
  cursorAt,
  followed,
  inboxOf,
  KNOWN,
  ME,
  message,
  NOW,
  QUIET,
  seenOf,
  syncOf,
  WATCH,
} from "./inbox-in-memory.ts";

/** Records a second of older messages; returns whether all are recorded. */
const recordOf = (world: ReturnType<typeof followed>, inbox: WatchedInbox) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(NOW);
    const { record } = yield* ArrivalSync;
    return yield* record("node", WATCH, { folder: { id: "inbox", key: "inbox", path: "INBOX" }, mailbox: inbox });
  }).pipe(Effect.provide(Layer.provide(ArrivalSync.layer, world.layer)));

const ascending = (one: number, other: number) => one - other;

describe("a server that does not tell which messages left", () => {
  it.effect("is asked for its present messages, which are compared with the recorded ones", () =>
    Effect.gen(function* () {
      const known = { ...KNOWN, seenFrom: 3 };
      const world = followed(
        known,
        [1, 3, 4, 5, 6].map((uid) => seenOf(message(uid))),
      );
      const flags = [
        { uid: 4, unread: false, flagged: false, answered: false, labels: [] },
        { uid: 5, unread: true, flagged: false, answered: false, labels: [] },
        { uid: 6, unread: false, flagged: false, answered: false, labels: [] },
      ];
      const poll: InboxPoll = { cursor: cursorAt(10), arrived: [], flags, present: [[4, 5]] };
      const { events } = yield* syncOf(world, inboxOf([poll]));
      assert.deepStrictEqual(
        events.map(({ event, data }) => [event, data.uid]),
        [
          ["email.deleted", 3],
          ["email.deleted", 6],
          ["email.flags_changed", 4],
        ],
      );
    }),
  );

  it.effect("announces no change of a message from before the watch", () =>
    Effect.gen(function* () {
      const world = followed(
        { ...KNOWN, seenFrom: 5 },
        [3, 5].map((uid) => seenOf(message(uid))),
      );
      const { events } = yield* syncOf(world, inboxOf([{ ...QUIET, vanished: [3, 5, 5] }]));
      assert.deepStrictEqual(
        events.map(({ data }) => data.uid),
        [5],
      );
    }),
  );
});

describe("an INBOX with a new UIDVALIDITY", () => {
  const renewed = cursorAt(4, 8);
  const poll: InboxPoll = { ...QUIET, cursor: renewed };
  const renumbered = (uid: number, of: number) => ({ ...seenOf(message(of)), uid });

  it.effect("begins at the present if older messages are not recorded", () =>
    Effect.gen(function* () {
      const world = followed({ ...KNOWN, seenFrom: 2 }, [seenOf(message(3))]);
      const inbox = inboxOf([poll]);
      const { events, known, seen } = yield* syncOf(world, inbox);
      assert.deepStrictEqual([events, known, seen.size], [[], { cursor: renewed, seenFrom: 4 }, 0]);
      assert.deepStrictEqual(inbox.asked, [cursorAt(10)]);
    }),
  );

  it.effect("is read whole, and matched with the recorded messages [S7.4-7]", () =>
    Effect.gen(function* () {
      const world = followed(
        KNOWN,
        [5, 6].map((uid) => seenOf(message(uid))),
      );
      const inbox = inboxOf(
        [poll],
        [
          { uidValidity: 8, from: 3, messages: [renumbered(3, 9)] },
          { uidValidity: 8, from: 1, messages: [renumbered(1, 5)] },
        ],
      );
      const describeAs = {
        ...inbox,
        describe: () => Effect.succeed([message(3, { messageId: "<9@x.test>", size: 109 })]),
      };
      const { events, known, seen } = yield* syncOf(world, describeAs);
      assert.deepStrictEqual(
        events.map(({ event, data }) => [event, data.id]),
        [
          ["email.deleted", JSON.stringify([ME, "inbox", 7, 6])],
          ["email.received", JSON.stringify([ME, "inbox", 8, 3])],
        ],
      );
      assert.deepStrictEqual(known, { cursor: renewed, seenFrom: 1 });
      assert.deepStrictEqual([...seen.keys()].toSorted(ascending), [1, 3]);
      assert.deepStrictEqual(inbox.asked, [cursorAt(10), "below 4", "below 3"]);
    }),
  );

  it.effect(
    "records before its cursor moves that matching messages keep their ids, each of several equal ones its own [S5.2-13]",
    () =>
      Effect.gen(function* () {
        const twin = { messageId: "<twin@x.test>", size: 7 };
        const world = followed(KNOWN, [
          seenOf(message(4, { ...twin })),
          seenOf(message(5)),
          seenOf(message(6, { ...twin })),
        ]);
        const messages = [1, 2, 3].map((uid) => ({ ...seenOf(message(5)), uid, ...(uid === 2 ? {} : twin) }));
        world.state.isHeld = false;
        const inbox = inboxOf([poll], [{ uidValidity: 8, from: 1, messages }]);
        assert.strictEqual((yield* Effect.flip(syncOf(world, inbox)))._tag, "WatchLost");
        assert.deepStrictEqual(world.state.moved, []);
        world.state.isHeld = true;
        const { events, moved } = yield* syncOf(world, inboxOf([poll], [{ uidValidity: 8, from: 1, messages }]));
        const uids = moved.map(({ from, now }) => [from.uidValidity, from.uid, now.uidValidity, now.uid]);
        assert.deepStrictEqual(events, []);
        assert.sameDeepMembers(
          uids.map(([before, , after]) => [before, after]),
          [1, 2, 3].map(() => [7, 8]),
        );
        assert.sameMembers(
          uids.map(([, from]) => from),
          [4, 5, 6],
        );
        assert.sameMembers(
          uids.map(([, , , now]) => now),
          [1, 2, 3],
        );
        assert.deepStrictEqual(uids.find(([, from]) => from === 5)?.at(-1), 2);
      }),
  );

  it.effect("is read again later if it is recreated while it is read", () =>
    Effect.gen(function* () {
      const world = followed(KNOWN, [seenOf(message(5))]);
      const inbox = inboxOf([poll], [{ uidValidity: 9, from: 1, messages: [] }]);
      const failure = yield* Effect.flip(syncOf(world, inbox));
      assert.strictEqual(failure._tag === "MailServerError" ? failure.reason : failure._tag, "protocol");
      assert.deepStrictEqual(world.state.known, KNOWN);
    }),
  );
});

describe("messages from before the watch", () => {
  const known = { cursor: cursorAt(10), seenFrom: 10 };
  const slices = [7, 4, 1].map((from) => ({ uidValidity: 7, from, messages: [seenOf(message(from))] }));

  it.effect("are recorded slice by slice until all are [S7.4-6]", () =>
    Effect.gen(function* () {
      const world = followed(known);
      assert.isTrue(yield* recordOf(world, inboxOf([], slices)));
      assert.deepStrictEqual(world.state.backfilled, [
        { from: 7, below: 10 },
        { from: 4, below: 7 },
        { from: 1, below: 4 },
      ]);
      assert.deepStrictEqual([...world.state.seen.keys()].toSorted(ascending), [1, 4, 7]);
      assert.isTrue(yield* recordOf(followed(null), inboxOf([])));
      assert.isTrue(yield* recordOf(followed(KNOWN), inboxOf([])));
    }),
  );

  it.effect("are recorded for a second before arrivals are looked for again", () =>
    Effect.gen(function* () {
      const world = followed(known);
      const inbox = inboxOf([], slices);
      const slow = {
        ...inbox,
        below: (uid: number) => Effect.tap(inbox.below(uid), () => TestClock.adjust("500 millis")),
      };
      assert.isFalse(yield* recordOf(world, slow));
      assert.strictEqual(world.state.backfilled.length, 2);
      assert.isTrue(yield* recordOf(world, slow));
    }),
  );

  it.effect("are not recorded under another UIDVALIDITY", () =>
    Effect.gen(function* () {
      const world = followed(known);
      const others = slices.map((slice) => ({ ...slice, uidValidity: 8 }));
      assert.isFalse(yield* recordOf(world, inboxOf([], others)));
      assert.deepStrictEqual(world.state.backfilled, []);
    }),
  );

  it.effect("are not recorded without the watch, or after the mailbox changed meanwhile", () =>
    Effect.gen(function* () {
      const world = followed(known);
      const inbox = inboxOf([], slices);
      world.state.isHeld = false;
      assert.strictEqual((yield* Effect.flip(recordOf(world, inbox)))._tag, "WatchLost");
      world.state.isHeld = true;
      const changing = {
        ...inbox,
        below: (uid: number) =>
          Effect.tap(inbox.below(uid), () => {
            world.state.known = { cursor: cursorAt(11), seenFrom: 1 };
            return Effect.void;
          }),
      };
      assert.isTrue(yield* recordOf(world, changing));
      assert.deepStrictEqual(world.state.backfilled, []);
    }),
  );
});
