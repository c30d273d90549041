import { assert, describe, it } from "@effect/vitest";
import { Duration, Effect } from "effect";
import { TestClock } from "effect/testing";
import { FolderNotFound } from "../../src/mail/index.ts";
import { AccountId } from "../../src/shared/index.ts";
import { findMoved, lookForMoves } from "../../src/watch/look-for-moves.ts";
import type { BegunMove } from "../../src/watch/index.ts";

const ME = AccountId("me@x.test");
const PATIENCE = Duration.minutes(10);
const BEGUN_AT = 1_000;

const fingerprint = (name: string) => ({ emailId: null, messageId: `<${name}@x>`, size: 5, arrivedAt: 1 });
const begun = (uid: number, name: string, fields: Partial<BegunMove> = {}): BegunMove => ({
  ...fingerprint(name),
  from: { folderId: "a", uidValidity: 1, uid },
  toFolderId: "b",
  lowestUid: 10,
  begunAt: BEGUN_AT,
  ...fields,
});
const found = (uid: number, name: string) => ({ ...fingerprint(name), uid });
const pairs = (all: ReturnType<typeof findMoved>) =>
  all.map(({ move, uid }) => [move.from.uid, uid]).toSorted((one, other) => one[0]! - other[0]!);

describe("a message that was moved to a folder", () => {
  it("is recognised there, equal ones in the order of their UIDs", () => {
    const there = [found(12, "twin"), found(11, "twin"), found(13, "b"), found(14, "other")];
    const left = [begun(3, "twin"), begun(2, "twin"), begun(1, "b"), begun(4, "gone")];
    for (const moves of [left, left.toReversed()])
      assert.deepStrictEqual(pairs(findMoved(there, moves, [])), [
        [1, 13],
        [2, 11],
        [3, 12],
      ]);
  });

  it("is not one that was there before the move", () => {
    assert.deepStrictEqual(pairs(findMoved([found(9, "b")], [begun(1, "b")], [])), []);
  });

  it("is found beside equal ones that came before its move, for another move", () => {
    const [late, early] = [begun(1, "twin", { lowestUid: 12 }), begun(2, "twin")];
    const there = [found(10, "twin"), found(11, "twin"), found(13, "twin")];
    for (const moves of [
      [late, early],
      [early, late],
    ])
      assert.deepStrictEqual(pairs(findMoved(there, moves, [])), [
        [1, 13],
        [2, 10],
      ]);
  });

  it("is not the copy of an equal one that still waits to leave", () => {
    const [first, second] = [begun(1, "twin"), begun(2, "twin")];
    const copies = [found(11, "twin"), found(12, "twin")];
    assert.deepStrictEqual(pairs(findMoved(copies, [second], [first])), [[2, 12]]);
    // On a server with MOVE, a message that still waits has no copy.
    assert.deepStrictEqual(pairs(findMoved([copies[0]!], [second], [first])), [[2, 11]]);
  });
});

/** An account with messages by path. Looks for moves at `now`, and records the results. */
const look = (
  mailboxes: Readonly<Record<string, ReadonlyArray<ReturnType<typeof found>>>>,
  moves: ReadonlyArray<BegunMove>,
  { now = BEGUN_AT, uidValidity = 1, taken = [] as ReadonlyArray<number> } = {},
) =>
  Effect.gen(function* () {
    const did: Array<string> = [];
    yield* TestClock.setTime(now);
    yield* lookForMoves(
      {
        fingerprints: {
          of: (_, path, uids) => {
            const messages = mailboxes[path];
            if (messages === undefined) return Effect.fail(new FolderNotFound());
            const isWanted = (uid: number) =>
              "from" in uids ? uid >= uids.from : "upTo" in uids ? uid <= uids.upTo : uids.includes(uid);
            return Effect.succeed({ uidValidity, messages: messages.filter(({ uid }) => isWanted(uid)) });
          },
        },
        moved: {
          listBegun: () => Effect.succeed(moves),
          find: (_: AccountId, [place]: ReadonlyArray<{ readonly folderId: string }>) =>
            Effect.succeed({
              left: taken.map((uid) => {
                const now = { folderId: place!.folderId, uidValidity, uid };
                return { from: now, now, id: now };
              }),
              isMoving: true,
            }),
          settle: (
            _: AccountId,
            all: ReadonlyArray<{ readonly from: BegunMove["from"]; readonly now: BegunMove["from"] }>,
          ) =>
            Effect.sync(() => {
              assert.isNotEmpty(all);
              did.push(...all.map(({ from, now }) => `${from.uid} is ${now.folderId} ${now.uid}`));
            }),
          giveUp: (_: AccountId, all: ReadonlyArray<BegunMove>) =>
            Effect.sync(() => {
              assert.isNotEmpty(all);
              did.push(...all.map(({ from }) => `${from.uid} given up`));
            }),
        } as never,
      },
      ME,
      (folderId) => (folderId === "unknown" ? undefined : folderId.toUpperCase()),
      PATIENCE,
    );
    return did;
  });

describe("a look for moves of unknown outcome", () => {
  const LATER = BEGUN_AT + Duration.toMillis(PATIENCE) + 1;

  it.effect("settles those that left their folder and arrived [S5.2-11]", () =>
    Effect.gen(function* () {
      const moves = [begun(1, "x"), begun(2, "y"), begun(3, "z", { toFolderId: "c" })];
      const mailboxes = { A: [found(2, "y")], B: [found(10, "x"), found(11, "y")], C: [found(30, "z")] };
      assert.deepStrictEqual(yield* look(mailboxes, moves), ["1 is b 10", "3 is c 30"]);
    }),
  );

  it.effect("does not take a message that arrived by another move", () =>
    Effect.gen(function* () {
      const mailboxes = { A: [], B: [found(10, "x"), found(11, "x")] };
      assert.deepStrictEqual(yield* look(mailboxes, [begun(1, "x")], { taken: [10] }), ["1 is b 11"]);
    }),
  );

  it.effect("looks from the lowest UID on that one of them may have", () =>
    Effect.gen(function* () {
      const moves = [begun(1, "x", { lowestUid: 12 }), begun(2, "y")];
      const mailboxes = { A: [], B: [found(11, "y"), found(13, "x")] };
      assert.deepStrictEqual(yield* look(mailboxes, moves), ["1 is b 13", "2 is b 11"]);
    }),
  );

  it.effect("expects copies of those that wait to leave for the same folder, and for no other", () =>
    Effect.gen(function* () {
      const mailboxes = { A: [found(1, "twin")], B: [found(11, "twin"), found(12, "twin")] };
      const moves = (toFolderId: string) => [begun(1, "twin", { toFolderId }), begun(2, "twin")];
      assert.deepStrictEqual(yield* look(mailboxes, moves("b")), ["2 is b 12"]);
      assert.deepStrictEqual(yield* look(mailboxes, moves("c")), ["2 is b 11"]);
    }),
  );

  it.effect("gives up a single move, and writes nothing if nothing was found", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* look({ A: [], B: [] }, [begun(1, "x")], { now: LATER }), ["1 given up"]);
      assert.deepStrictEqual(yield* look({ A: [], B: [] }, [begun(1, "x")]), []);
      assert.deepStrictEqual(yield* look({}, []), []);
    }),
  );

  it.effect("finds a message of a folder that was removed or recreated", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* look({ B: [found(10, "x")] }, [begun(1, "x")]), ["1 is b 10"]);
      const unknown = begun(1, "x", { from: { folderId: "unknown", uidValidity: 1, uid: 1 } });
      assert.deepStrictEqual(yield* look({ B: [found(10, "x")] }, [unknown]), ["1 is b 10"]);
      const recreated = { A: [found(1, "new")], B: [found(10, "x")] };
      assert.deepStrictEqual(yield* look(recreated, [begun(1, "x")], { uidValidity: 2 }), ["1 is b 10"]);
    }),
  );

  it.effect("gives up moves that did not happen within ten minutes [S5.2-12]", () =>
    Effect.gen(function* () {
      const moves = [begun(1, "x"), begun(2, "lost"), begun(3, "kept"), begun(4, "w", { toFolderId: "gone" })];
      const mailboxes = { A: [found(3, "kept")], B: [found(10, "x")] };
      assert.deepStrictEqual(yield* look(mailboxes, moves, { now: LATER - 1 }), ["1 is b 10"]);
      assert.deepStrictEqual(yield* look(mailboxes, moves, { now: LATER }), [
        "1 is b 10",
        "2 given up",
        "3 given up",
        "4 given up",
      ]);
    }),
  );
});
