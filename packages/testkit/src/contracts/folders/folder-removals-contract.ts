import { assert, layer } from "@effect/vitest";
import { type FolderRemoval, FolderRemovals } from "@postern/core/folders";
import { Effect, type Layer, Option } from "effect";
import { freshAccount } from "../../fresh-account.ts";

const newRemoval = Effect.map(freshAccount, (account): FolderRemoval => ({
  id: `r-${globalThis.crypto.randomUUID()}`,
  account,
  folderId: "f_gone",
  path: `Ünï/日本 "'%_\\ 💌`,
  uidValidity: 0xffff_ffff,
  hiddenPath: "postern-removal-abc",
  delimiter: "/",
  destination: { id: "trash", path: "Trash" },
  phase: "hiding",
  moved: 0,
  remaining: 0,
  batch: null,
  begunAt: 1_900_000_000_123,
  failures: 0,
  dueAt: 1_900_000_000_123,
  reason: null,
}));

const T = 1_900_000_100_000;

/** What every journal of folder removals promises (spec 4). */
export const folderRemovalsContract = (name: string, live: Layer.Layer<FolderRemovals, unknown>) =>
  layer(live)(name, (it) => {
    it.effect("finds a removal as it was begun, and what was saved of it since", () =>
      Effect.gen(function* () {
        const journal = yield* FolderRemovals;
        const removal = yield* newRemoval;
        assert.deepStrictEqual(yield* journal.begin(removal), removal);
        assert.deepStrictEqual(yield* journal.find(removal.account, "f_gone"), Option.some(removal));
        const lease = { owner: "me", until: T + 10 };
        assert.deepStrictEqual(yield* journal.claim(removal.id, lease, T), Option.some(removal));
        const later: FolderRemoval = {
          ...removal,
          phase: "emptying",
          destination: { id: "f_x", path: "X" },
          moved: 7,
          remaining: 3,
          batch: { mailbox: "postern-removal-abc/日", lastUid: 0xffff_fffe, count: 500, copiedFrom: 12 },
          failures: 3,
          dueAt: T + 40_000,
          reason: "NOPERM: nö 💌",
        };
        assert.isTrue(yield* journal.save(later, lease));
        assert.deepStrictEqual(yield* journal.find(removal.account, "f_gone"), Option.some(later));
        assert.deepStrictEqual(yield* journal.find(removal.account, "f_other"), Option.none());
        assert.deepStrictEqual(yield* journal.find((yield* newRemoval).account, "f_gone"), Option.none());
        assert.deepStrictEqual(yield* journal.find(removal.account, "a\0b"), Option.none());
      }),
    );

    it.effect("keeps what has neither destination, delimiter nor UIDVALIDITY", () =>
      Effect.gen(function* () {
        const journal = yield* FolderRemovals;
        const removal = { ...(yield* newRemoval), destination: null, delimiter: null, uidValidity: null };
        yield* journal.begin(removal);
        assert.deepStrictEqual(yield* journal.find(removal.account, "f_gone"), Option.some(removal));
      }),
    );

    it.effect("has one removal for a folder: the first that was begun", () =>
      Effect.gen(function* () {
        const journal = yield* FolderRemovals;
        const removal = yield* newRemoval;
        const others = Array.from({ length: 5 }, (_, n) => ({ ...removal, id: `${removal.id}-${n}` }));
        const begun = yield* Effect.forEach([removal, ...others], journal.begin, { concurrency: "unbounded" });
        assert.strictEqual(new Set(begun.map(({ id }) => id)).size, 1);
      }),
    );

    it.effect("leases a removal to one owner at a time, until the lease runs out or is given up", () =>
      Effect.gen(function* () {
        const journal = yield* FolderRemovals;
        const removal = yield* newRemoval;
        yield* journal.begin(removal);
        const owners = Array.from({ length: 8 }, (_, n) => ({ owner: `o${n}`, until: T + 10 }));
        const claims = yield* Effect.forEach(owners, (lease) => journal.claim(removal.id, lease, T), {
          concurrency: "unbounded",
        });
        const winners = owners.filter((_, n) => Option.isSome(claims[n]!));
        assert.lengthOf(winners, 1);
        const [winner] = winners;
        const other = { owner: "other", until: T + 30 };
        assert.deepStrictEqual(yield* journal.claim(removal.id, other, T + 9), Option.none());
        assert.isTrue(Option.isSome(yield* journal.claim(removal.id, winner!, T + 9)));
        assert.isTrue(yield* journal.save({ ...removal, moved: 1 }, { owner: winner!.owner, until: T + 15 }));
        assert.deepStrictEqual(yield* journal.claim(removal.id, other, T + 14), Option.none());
        assert.isTrue(Option.isSome(yield* journal.claim(removal.id, other, T + 15)));
        assert.isFalse(yield* journal.save({ ...removal, moved: 99 }, winner!), "the lease was lost");
        yield* journal.release(removal.id, winner!.owner);
        assert.deepStrictEqual(yield* journal.claim(removal.id, winner!, T + 20), Option.none());
        yield* journal.release(removal.id, "other");
        const again = Option.getOrThrow(yield* journal.claim(removal.id, winner!, T + 20));
        assert.strictEqual(again.moved, 1);
        assert.deepStrictEqual(yield* journal.claim("r-unknown", other, T), Option.none());
      }),
    );

    it.effect("lists what is unfinished, oldest first, and forgets", () =>
      Effect.gen(function* () {
        const journal = yield* FolderRemovals;
        const first = { ...(yield* newRemoval), begunAt: 5 };
        const second = { ...(yield* newRemoval), begunAt: 6 };
        const done = yield* newRemoval;
        const mine = new Set([first.id, second.id, done.id]);
        for (const removal of [second, done, first]) yield* journal.begin(removal);
        const lease = { owner: "me", until: T };
        yield* journal.claim(done.id, lease, 0);
        yield* journal.save({ ...done, phase: "finished" }, lease);
        const open = Effect.map(journal.unfinished, (all) => all.filter(({ id }) => mine.has(id)).map(({ id }) => id));
        assert.deepStrictEqual(yield* open, [first.id, second.id]);
        assert.isTrue(Option.isSome(yield* journal.find(done.account, "f_gone")));
        yield* journal.forgetFinished(done.begunAt);
        assert.isTrue(Option.isSome(yield* journal.find(done.account, "f_gone")));
        yield* journal.forgetFinished(done.begunAt + 1);
        assert.isTrue(Option.isNone(yield* journal.find(done.account, "f_gone")));
        yield* journal.forget(second.id);
        assert.deepStrictEqual(yield* open, [first.id]);
        yield* journal.forget(first.id);
      }),
    );

    it.effect("forgets all of an account, and none of another", () =>
      Effect.gen(function* () {
        const journal = yield* FolderRemovals;
        const [mine, theirs] = [yield* newRemoval, yield* newRemoval];
        const finished: FolderRemoval = { ...mine, id: `${mine.id}-2`, folderId: "f_other", phase: "finished" };
        for (const removal of [mine, finished, theirs]) yield* journal.begin(removal);
        yield* journal.erase(mine.account);
        for (const { account, folderId } of [mine, finished]) {
          assert.deepStrictEqual(yield* journal.find(account, folderId), Option.none());
        }
        assert.deepStrictEqual(yield* journal.find(theirs.account, theirs.folderId), Option.some(theirs));
      }),
    );
  });
