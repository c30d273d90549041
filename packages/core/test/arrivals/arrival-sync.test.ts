import { assert, describe, it } from "@effect/vitest";
import { Deferred, Effect, Fiber, Layer } from "effect";
import { TestClock } from "effect/testing";
import { ArrivalSync } from "../../src/arrivals/ArrivalSync.ts";
import { Transaction } from "../../src/shared/index.ts";
import type { InboxPoll } from "../../src/watch/index.ts";
import { counted, ownMetrics } from "../doubles.ts";
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

const DAY = 24 * 3600 * 1000;

describe("the sync of an INBOX", () => {
  it.effect("begins at the present, and announces nothing from before [S7.4-3]", () =>
    Effect.gen(function* () {
      const world = followed(null);
      const state = yield* syncOf(world, inboxOf([{ ...QUIET, arrived: [message(9)] }]));
      assert.deepStrictEqual([state.known, state.events], [{ cursor: cursorAt(10), seenFrom: 10 }, []]);
    }),
  );

  it.effect("announces what arrived, left and changed, with the time, the account and the message's id", () =>
    Effect.gen(function* () {
      const [kept, gone] = [message(3), message(4)];
      const world = followed(KNOWN, [kept, gone].map(seenOf));
      const state = yield* syncOf(
        world,
        inboxOf([
          {
            cursor: cursorAt(11),
            arrived: [message(10)],
            vanished: [4],
            flags: [{ uid: 3, unread: false, flagged: true, answered: false, labels: [] }],
          },
        ]),
      );
      assert.deepStrictEqual(
        state.events.map(({ event, data }) => [event, data.id]),
        [
          ["email.deleted", JSON.stringify([ME, "inbox", 7, 4])],
          ["email.flags_changed", JSON.stringify([ME, "inbox", 7, 3])],
          ["email.received", JSON.stringify([ME, "inbox", 7, 10])],
        ],
      );
      for (const { timestamp, account, data } of state.events) {
        assert.deepStrictEqual([timestamp, account], [new Date(NOW).toISOString(), { id: `acc_${ME}`, email: ME }]);
        assert.strictEqual(data.folder, "INBOX");
      }
      assert.strictEqual(new Set(state.events.map(({ id }) => id)).size, 3);
      assert.deepStrictEqual(state.known, { cursor: cursorAt(11), seenFrom: 1 });
      assert.deepStrictEqual([...state.seen.keys()], [3, 10]);
    }),
  );

  it.effect("announces changes of messages that Postern moved under their unchanged ids [S5.2-9]", () =>
    Effect.gen(function* () {
      const world = followed(KNOWN, [message(3), message(4)].map(seenOf));
      const [archived, moved] = [
        { folderId: "f_a", uidValidity: 1, uid: 8 },
        { folderId: "f_b", uidValidity: 2, uid: 9 },
      ];
      const inInbox = (uid: number) => ({ folderId: "inbox", uidValidity: 7, uid });
      // One message was moved from a folder to INBOX, the other from INBOX to a folder.
      world.state.moved.push({ from: archived, now: inInbox(3), id: archived });
      world.state.moved.push({ from: inInbox(4), now: { ...archived, uid: 20 }, id: moved });
      const flags = [{ uid: 3, unread: false, flagged: true, answered: false, labels: [] }];
      const state = yield* syncOf(world, inboxOf([{ ...QUIET, vanished: [4], flags }]));
      assert.deepStrictEqual(
        state.events.map(({ event, data }) => [event, data.id, data.uid]),
        [
          ["email.deleted", JSON.stringify([ME, "f_b", 2, 9]), 4],
          ["email.flags_changed", JSON.stringify([ME, "f_a", 1, 8]), 3],
        ],
      );
    }),
  );

  it.effect("saves a cursor that moved, and writes nothing where nothing happened", () =>
    Effect.gen(function* () {
      const savesAt = (cursor: InboxPoll["cursor"]) =>
        Effect.map(syncOf(followed(KNOWN), inboxOf([{ ...QUIET, cursor }])), ({ saves }) => saves);
      assert.strictEqual(yield* savesAt(cursorAt(10)), 0);
      assert.strictEqual(yield* savesAt(cursorAt(11)), 1);
      assert.strictEqual(yield* savesAt(cursorAt(10, 7, 5)), 1);
      const flags = [{ uid: 3, unread: false, flagged: false, answered: false, labels: [] }];
      const changed = yield* syncOf(followed(KNOWN, [seenOf(message(3))]), inboxOf([{ ...QUIET, flags }]));
      assert.strictEqual(changed.saves, 1);
      const gone = yield* syncOf(followed(KNOWN, [seenOf(message(3))]), inboxOf([{ ...QUIET, vanished: [3] }]));
      assert.strictEqual(gone.saves, 1);
    }),
  );

  it.effect("continues from its position while the server has more", () =>
    Effect.gen(function* () {
      const inbox = inboxOf([
        { ...QUIET, cursor: cursorAt(11), arrived: [message(10)], more: true },
        { ...QUIET, cursor: cursorAt(12), arrived: [message(11)] },
      ]);
      const { events } = yield* syncOf(followed(KNOWN), inbox);
      assert.deepStrictEqual(inbox.asked, [cursorAt(10), cursorAt(11)]);
      assert.deepStrictEqual(
        events.map(({ data }) => data.uid),
        [10, 11],
      );
    }),
  );

  it.effect.each([
    ["its cursor", { cursor: cursorAt(11), seenFrom: 1 }],
    ["its UIDVALIDITY", { cursor: cursorAt(10, 8), seenFrom: 1 }],
    ["its HIGHESTMODSEQ", { cursor: cursorAt(10, 7, 9), seenFrom: 1 }],
    ["how far back it is recorded", { cursor: cursorAt(10), seenFrom: 2 }],
    ["whether it is followed", null],
  ] as const)("drops a poll if another one has changed %s meanwhile", ([, other]) =>
    Effect.gen(function* () {
      const world = followed(KNOWN, [seenOf(message(4))]);
      const inbox = inboxOf([{ ...QUIET, vanished: [4] }, QUIET]);
      let polls = 0;
      const poll: typeof inbox.poll = (since) =>
        Effect.tap(inbox.poll(since), () =>
          Effect.sync(() => {
            if (polls++ > 0) return;
            world.state.known = other;
            world.state.seen.clear();
          }),
        );
      const { events } = yield* syncOf(world, { ...inbox, poll });
      assert.isAtLeast(polls, 2);
      assert.deepStrictEqual(events, []);
    }),
  );

  it.effect("writes nothing if the node has lost the watch", () =>
    Effect.gen(function* () {
      const world = followed(KNOWN);
      world.state.isHeld = false;
      const lost = yield* Effect.flip(
        syncOf(world, inboxOf([{ ...QUIET, cursor: cursorAt(11), arrived: [message(10)] }])),
      );
      assert.strictEqual(lost._tag, "WatchLost");
      assert.deepStrictEqual([world.state.events, world.state.known], [[], KNOWN]);
    }),
  );

  it.effect("writes at most six mailboxes at once, and counts all events", () =>
    Effect.gen(function* () {
      const world = followed(null);
      let [open, most] = [0, 0];
      const answer = yield* Deferred.make<void>();
      const transaction = Layer.succeed(Transaction, {
        run: (effect) =>
          Effect.ensuring(
            Effect.andThen(
              Effect.suspend(() => ((most = Math.max(most, ++open)), Deferred.await(answer))),
              effect,
            ),
            Effect.sync(() => open--),
          ),
      });
      yield* Effect.gen(function* () {
        const { sync } = yield* ArrivalSync;
        const fibers = yield* Effect.forEach(Array.from({ length: 9 }), () =>
          Effect.forkChild(sync("node", WATCH, inboxOf([QUIET]), false)),
        );
        yield* TestClock.adjust("1 second");
        yield* Deferred.succeed(answer, undefined);
        yield* Effect.forEach(fibers, Fiber.join);
      }).pipe(Effect.provide(Layer.provide(ArrivalSync.layer, Layer.merge(world.layer, transaction))));
      assert.strictEqual(most, 6);
    }),
  );

  it.effect("counts the events that it announces, starting at none", () =>
    Effect.gen(function* () {
      const world = followed(KNOWN);
      yield* Effect.gen(function* () {
        const { sync } = yield* ArrivalSync;
        assert.strictEqual(yield* counted("arrival_events_total"), 0);
        yield* sync(
          "node",
          WATCH,
          inboxOf([{ ...QUIET, cursor: cursorAt(12), arrived: [message(10), message(11)] }]),
          false,
        );
        assert.strictEqual(yield* counted("arrival_events_total"), 2);
      }).pipe(Effect.provide(Layer.provide(ArrivalSync.layer, world.layer)));
    }).pipe(ownMetrics),
  );
});

describe("an arrival", () => {
  const arrives = (...uids: ReadonlyArray<number>) => ({
    ...QUIET,
    cursor: cursorAt(Math.max(...uids) + 1),
    arrived: uids.map((uid) => message(uid)),
  });
  const expected = (uid: number, until = NOW + 1) => {
    const { emailId, messageId, size, arrivedAt } = message(uid);
    return { id: `own ${uid}`, emailId, messageId, size, arrivedAt, until };
  };
  const left = (uid: number, leftAt: number) => {
    const { until: _, ...one } = expected(uid);
    return { ...one, leftAt };
  };

  it.effect("that Postern moved itself is not announced, once [S7.4-5]", () =>
    Effect.gen(function* () {
      const world = followed(KNOWN);
      world.state.expected = [expected(10), expected(20), expected(11, NOW)];
      const { events, expected: waiting, seen } = yield* syncOf(world, inboxOf([arrives(10, 11)]));
      assert.deepStrictEqual(
        events.map(({ data }) => data.uid),
        [11],
      );
      assert.deepStrictEqual(
        waiting.map(({ id }) => id),
        ["own 20", "own 11"],
      );
      assert.deepStrictEqual([...seen.keys()], [10, 11]);
    }),
  );

  it.effect("of another message without Message-ID is announced while a moved one is expected [S7.4-5]", () =>
    Effect.gen(function* () {
      const world = followed(KNOWN);
      world.state.expected = [{ ...expected(10), messageId: null }];
      const other = message(11, { messageId: null, size: message(10).size, arrivedAt: NOW - 60_000 });
      const { events, expected: waiting } = yield* syncOf(world, inboxOf([{ ...arrives(11), arrived: [other] }]));
      assert.deepStrictEqual(
        events.map(({ data }) => data.uid),
        [11],
      );
      assert.strictEqual(waiting.length, 1);
    }),
  );

  it.effect("that Postern moved itself hides neither deletions nor changes of flags", () =>
    Effect.gen(function* () {
      const world = followed(KNOWN, [message(3), message(4)].map(seenOf));
      world.state.expected = [expected(10)];
      const flags = [{ uid: 4, unread: false, flagged: false, answered: false, labels: [] }];
      const { events } = yield* syncOf(world, inboxOf([{ ...arrives(10), vanished: [3], flags }]));
      assert.deepStrictEqual(
        events.map(({ event }) => event),
        ["email.deleted", "email.flags_changed"],
      );
    }),
  );

  it.effect("of a message that left within 90 days is announced once, as returned [S7.4-8]", () =>
    Effect.gen(function* () {
      const world = followed(KNOWN);
      world.state.left = [left(10, NOW - 90 * DAY), left(11, NOW - 90 * DAY - 1), left(20, NOW)];
      const { events, left: waiting, searches } = yield* syncOf(world, inboxOf([arrives(10, 11, 12)]));
      assert.deepStrictEqual(
        events.map(({ data }) => [data.uid, data.returned]),
        [
          [10, true],
          [11, undefined],
          [12, undefined],
        ],
      );
      assert.deepStrictEqual(searches, [[[110, 111, 112], NOW - 90 * DAY]]);
      assert.deepStrictEqual(
        waiting.map(({ id }) => id),
        ["own 11", "own 20"],
      );
    }),
  );

  it.effect("is compared with the messages that leave in the same sync", () =>
    Effect.gen(function* () {
      const moved = message(3, { messageId: "<same@x.test>", size: 5 });
      const world = followed(KNOWN, [seenOf(moved)]);
      const poll = { ...QUIET, cursor: cursorAt(11), vanished: [3], arrived: [{ ...moved, uid: 10 }] };
      const { events, left: waiting } = yield* syncOf(world, inboxOf([poll]));
      assert.deepStrictEqual(
        events.map(({ event, data }) => [event, data.returned]),
        [
          ["email.deleted", undefined],
          ["email.received", true],
        ],
      );
      assert.deepStrictEqual(waiting, []);
    }),
  );

  it.effect("is remembered with its fingerprint and the time when it leaves", () =>
    Effect.gen(function* () {
      const world = followed(KNOWN, [seenOf(message(3))]);
      const state = yield* syncOf(world, inboxOf([{ ...QUIET, vanished: [3] }]));
      assert.deepStrictEqual(state.left, [{ ...left(3, NOW), id: state.left[0]?.id }]);
      assert.match(state.left[0]?.id ?? "", /^id\d/);
      assert.deepStrictEqual(state.searches, []);
    }),
  );

  it.effect("that may be a report about sent mail is queued to be read", () =>
    Effect.gen(function* () {
      const world = followed(KNOWN);
      const report = message(11, {
        arrivedAt: NOW - 5,
        fields: [["content-type", "multipart/report; report-type=delivery-status"]],
      });
      const letter = message(10, { fields: [["From", "ann@x.test"]] });
      const poll = { ...QUIET, cursor: cursorAt(12), arrived: [letter, report] };
      const { jobs } = yield* syncOf(world, inboxOf([poll]));
      assert.strictEqual(jobs.length, 1);
      assert.deepInclude(jobs[0], {
        account: ME,
        place: { path: "INBOX", uidValidity: 7, uid: 11 },
        arrivedAt: NOW - 5,
        seenAt: NOW,
      });
    }),
  );
});
