import { assert, describe, it } from "@effect/vitest";
import { Effect, Layer, Option } from "effect";
import { TestClock } from "effect/testing";
import { AccountId } from "../../src/shared/index.ts";
import {
  AccountWatches,
  type ExpectedMessage,
  FollowedMailboxes,
  InboxWatch,
  LiveInboxes,
  MessageFingerprints,
  MovedMessages,
  OwnMoves,
} from "../../src/watch/index.ts";
import { WatchStarter } from "../../src/watch/neighbours.ts";
import { noTransaction, numberedIds } from "../doubles.ts";

const NOW = 1_900_000_000_000;
const ME = AccountId("me@x.test");
const PRESENT = { uidValidity: 7, uidNext: 10, highestModSeq: null };
const SEEN = {
  uid: 4,
  emailId: null,
  messageId: null,
  size: 5,
  arrivedAt: 1,
  unread: true,
  flagged: false,
  answered: false,
  labels: [],
};
const FINGERPRINT = { emailId: null, messageId: "<a@x.test>", size: 5, arrivedAt: 1 };

/**
 * Records the changes of an account's watch and INBOX. The account may be watched and followed, or not. Postern has
 * `moved` messages into INBOX.
 */
const world = (isWatched: boolean, isFollowed = true, moved: ReadonlyArray<ExpectedMessage> = []) => {
  const did: Array<unknown> = [];
  const note = (...what: ReadonlyArray<unknown>) => Effect.sync(() => void did.push(what.join(" ")));
  const layer = Layer.merge(WatchStarter.layer, OwnMoves.layer).pipe(
    Layer.provide([
      Layer.mock(AccountWatches, {
        isOursAlone: false,
        changed: Effect.never,
        extend: (_, until) => Effect.as(note("extend", until - NOW), isWatched),
        add: (_, until) => Effect.as(note("add", until - NOW), !isWatched),
      }),
      Layer.mock(FollowedMailboxes, {
        find: () => Effect.succeed(isFollowed ? Option.some({ cursor: PRESENT, seenFrom: 1 }) : Option.none()),
        moveTo: (_, folder, { uidNext }) => note("move", folder, uidNext),
        backfill: (_, folder, { from, below }, messages) =>
          note("record", folder, `${from} to ${below}:`, messages.map(({ uid }) => uid).join()),
        expect: (_, folder, messages) => Effect.sync(() => void did.push([folder, messages])),
        listExpected: (_, __, now) => Effect.succeed(moved.filter(({ until }) => now < until)),
        forgetExpected: (_, folder, ids) => note("forget in", folder, ids.join()),
      }),
      Layer.mock(InboxWatch, {
        readPresent: (_, purpose) =>
          Effect.sync(() => {
            did.push(`present for ${purpose}`);
            return { cursor: PRESENT, newest: { uidValidity: 7, from: 4, messages: [SEEN] } };
          }),
      }),
      Layer.mock(MessageFingerprints, {
        of: (_, path, uids) =>
          Effect.as(note("fingerprints of", JSON.stringify(uids), "in", path), {
            uidValidity: 7,
            messages: [{ ...FINGERPRINT, uid: 3 }],
          }),
      }),
      Layer.mock(MovedMessages, {
        begin: (_, moves) => Effect.sync(() => void did.push(moves)),
        settle: (_, moves, movedAt) => Effect.sync(() => void did.push({ moves, movedAt })),
      }),
      noTransaction,
      numberedIds,
    ]),
  );
  const run = <A, E>(body: Effect.Effect<A, E, WatchStarter | OwnMoves>) =>
    Effect.as(Effect.andThen(TestClock.setTime(NOW), Effect.provide(body, layer)), did);
  return { run };
};

describe("a watch that begins", () => {
  const begin = (purpose?: "first watch") => Effect.flatMap(WatchStarter, (one) => one.begin(ME, purpose));

  it.effect(
    "lasts a minute longer than the time until a stream extends it, and announces arrivals from then on [S7.4-4] [S7.4-9]",
    () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* world(false).run(begin()), [
          "extend 100000",
          "present for request",
          "add 100000",
          "move inbox 10",
          "record inbox 4 to 10: 4",
        ]);
        assert.include(yield* world(false).run(begin("first watch")), "present for first watch");
      }),
  );

  it.effect("expects no longer what Postern has already moved into INBOX", () =>
    Effect.gen(function* () {
      const { emailId, messageId, size, arrivedAt } = SEEN;
      const until = NOW + 1;
      const moved = [
        { id: "here", emailId, messageId, size, arrivedAt, until },
        { id: "on its way", ...FINGERPRINT, until },
      ];
      assert.strictEqual((yield* world(false, true, moved).run(begin())).at(-1), "forget in inbox here");
    }),
  );

  it.effect("again goes on at its stored cursor", () =>
    Effect.gen(function* () {
      const resume = Effect.flatMap(WatchStarter, (one) => one.resume(ME));
      assert.deepStrictEqual(yield* world(false).run(resume), ["add 100000"]);
    }),
  );

  it.effect("extends an existing watch, and does not move its cursor", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* world(true).run(begin()), ["extend 100000"]);
    }),
  );
});

describe("a move of our own", () => {
  const begin = (folder: string, uidValidity = 7, uidNext: number | null = 9) =>
    Effect.flatMap(OwnMoves, (moves) =>
      Effect.flatMap(moves.read(ME, "Archive", [3, 4]), (found) =>
        moves.begin(ME, { folderId: "f_a", path: "Archive", uidValidity }, found, { key: folder, uidNext }),
      ),
    );
  const recorded = (toFolderId: string, lowestUid = 9) => [
    {
      ...FINGERPRINT,
      from: { folderId: "f_a", uidValidity: 7, uid: 3 },
      toFolderId,
      lowestUid,
      begunAt: NOW,
    },
  ];

  it.effect("into INBOX is expected for ten minutes, by the fingerprints of its messages [S7.4-5]", () =>
    Effect.gen(function* () {
      // A watch may begin before the command.
      for (const isWatched of [true, false]) {
        const [fingerprints, moves, expected] = yield* world(isWatched).run(begin("inbox"));
        assert.deepStrictEqual(fingerprints, "fingerprints of [3,4] in Archive");
        assert.deepStrictEqual(moves, recorded("inbox"));
        assert.deepStrictEqual(expected, [
          "inbox",
          [{ ...FINGERPRINT, id: "id1".padEnd(16, "_"), until: NOW + 600_000 }],
        ]);
      }
    }),
  );

  it.effect("elsewhere, or into an INBOX that was never followed, is not expected", () =>
    Effect.gen(function* () {
      const asked = "fingerprints of [3,4] in Archive";
      assert.deepStrictEqual(yield* world(true).run(begin("f_b")), [asked, recorded("f_b")]);
      assert.deepStrictEqual(yield* world(true, false).run(begin("inbox")), [asked, recorded("inbox")]);
    }),
  );

  it.effect("into a mailbox whose next UID is unknown may have any UID there", () =>
    Effect.gen(function* () {
      const [, moves] = yield* world(true).run(begin("f_b", 7, null));
      assert.deepStrictEqual(moves, recorded("f_b", 1));
    }),
  );

  it.effect("is settled with the locations that the server reported, if ids of its mailbox were shown", () =>
    Effect.gen(function* () {
      const settle = (folderId: string | null, ...arrived: ReadonlyArray<{ uid: number; to: number | null }>) =>
        world(true).run(
          Effect.flatMap(OwnMoves, (moves) =>
            moves.settle(
              ME,
              { folderId, path: "Archive", uidValidity: 7 },
              "f_b",
              arrived.map(({ uid, to }) => ({ uid, to: to === null ? null : { uidValidity: 8, uid: to } })),
            ),
          ),
        );
      const moved = (uid: number, to: number) => ({
        from: { folderId: "f_a", uidValidity: 7, uid },
        now: { folderId: "f_b", uidValidity: 8, uid: to },
      });
      const all = [
        { uid: 3, to: 20 },
        { uid: 4, to: null },
      ];
      assert.deepStrictEqual(yield* settle("f_a", ...all), [{ moves: [moved(3, 20)], movedAt: NOW }]);
      assert.deepStrictEqual(yield* settle("f_a", { uid: 4, to: null }), []);
      assert.deepStrictEqual(yield* settle(null, ...all), []);
    }),
  );

  it.effect("out of a recreated mailbox is not recorded, because its messages have other ids", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* world(true).run(begin("f_b", 6)), ["fingerprints of [3,4] in Archive"]);
    }),
  );
});

it.effect("an INBOX is quiet from a complete reading to the next sign of a change", () =>
  Effect.gen(function* () {
    const { startReading: reads, markChanged: mayHaveChanged, quietTime } = yield* LiveInboxes;
    assert.isUndefined(quietTime(ME));
    const confirmRead = reads(ME);
    assert.isUndefined(quietTime(ME));
    confirmRead();
    const quiet = quietTime(ME);
    assert.isDefined(quiet);
    assert.strictEqual(quietTime(ME), quiet);
    mayHaveChanged(ME);
    assert.isUndefined(quietTime(ME));
    const late = reads(ME);
    mayHaveChanged(ME);
    late();
    assert.isUndefined(quietTime(ME));
    reads(ME)();
    assert.notStrictEqual(quietTime(ME), quiet);
  }).pipe(Effect.provide(LiveInboxes.layer)),
);
