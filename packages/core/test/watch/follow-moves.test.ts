import { assert, it } from "@effect/vitest";
import { Effect } from "effect";
import { AccountId, type MessageRef } from "../../src/shared/index.ts";
import { followMoves } from "../../src/watch/follow-moves.ts";

const ME = AccountId("me@x.test");
const at = (uid: number): MessageRef => ({ folderId: "a", uidValidity: 1, uid });

/** Follows messages whose recorded moves are single steps, each from a UID to the next one, up to `last`. */
const follow = (refs: ReadonlyArray<MessageRef | undefined>, steps: number, { last = 0, isMoving = true } = {}) =>
  Effect.gen(function* () {
    let asked = 0;
    const moved = {
      find: (_: AccountId, places: ReadonlyArray<{ readonly uids: ReadonlyArray<number> }>) =>
        Effect.sync(() => {
          asked++;
          const uids = places.flatMap((place) => place.uids).filter((uid) => uid < last);
          return { left: uids.map((uid) => ({ from: at(uid), now: at(uid + 1), id: at(0) })), isMoving };
        }),
    };
    const { found, isMoving: moving } = yield* followMoves(moved as never, ME, refs, steps);
    return { found: found.map((one) => one && [one.now.uid, one.id.uid]), moving, asked };
  });

it.effect("a message is followed through as many moves as allowed, even beside one that did not move", () =>
  Effect.gen(function* () {
    const refs = [at(20), at(1), undefined];
    assert.deepStrictEqual(yield* follow(refs, 2, { last: 9 }), {
      found: [[20, 20], [3, 0], undefined],
      moving: true,
      asked: 2,
    });
    assert.deepStrictEqual(yield* follow([at(1)], 0, { last: 9 }), { found: [[1, 1]], moving: false, asked: 0 });
    assert.deepStrictEqual((yield* follow(refs, 5, { last: 3 })).found, [[20, 20], [3, 3], undefined]);
  }),
);

it.effect("moves are asked for until no message moved", () =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* follow([at(1)], 5, { last: 3 }), { found: [[3, 3]], moving: true, asked: 3 });
    assert.deepStrictEqual(yield* follow([at(1)], 5, { isMoving: false }), {
      found: [[1, 1]],
      moving: false,
      asked: 1,
    });
  }),
);
