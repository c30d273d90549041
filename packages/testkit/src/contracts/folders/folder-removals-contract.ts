import { assert, layer } from "@effect/vitest";
import { type FolderRemoval, FolderRemovals } from "@postern/core/folders";
import { Effect, Fiber, type Layer, Option } from "effect";
import { assertWakesAlthoughInterrupted } from "../assert-wakes-although-interrupted.ts";
import { freshAccount } from "../../fixtures/fresh-account.ts";

const newRemoval = Effect.map(freshAccount, (account): FolderRemoval => ({
  id: `r-${globalThis.crypto.randomUUID()}`,
  account,
  folderId: "f_gone",
  path: `Ünï/日本 "'%_\\ 💌`,
  uidValidity: 0xffff_ffff,
  hiddenPath: "postern-removal-abc",
  folders: [
    { id: "f_gone", path: `Ünï/日本 "'%_\\ 💌`, uidValidity: 0xffff_ffff },
    { id: "f_name", path: "Name", uidValidity: null },
  ],
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

/** The contract of `FolderRemovals` (spec 4). */
export const folderRemovalsContract = (name: string, live: Layer.Layer<FolderRemovals, unknown>) =>
  layer(live)(name, (it) => {
    it.effect("finds a removal as it was journaled, and later as it was saved", () =>
      Effect.gen(function* () {
        const journal = yield* FolderRemovals;
        const removal = yield* newRemoval;
        assert.deepStrictEqual(yield* journal.begin(removal), removal);
        assert.deepStrictEqual(yield* journal.find(removal.account, "f_gone"), Option.some(removal));
        const lease = { token: "me", until: T + 10 };
        assert.deepStrictEqual(yield* journal.claimOne(removal.id, T, lease), Option.some(removal));
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
        assert.isTrue(yield* journal.save(later, lease.token));
        assert.deepStrictEqual(yield* journal.find(removal.account, "f_gone"), Option.some(later));
        assert.deepStrictEqual(yield* journal.find(removal.account, "f_other"), Option.none());
        assert.deepStrictEqual(yield* journal.find((yield* newRemoval).account, "f_gone"), Option.none());
        assert.deepStrictEqual(yield* journal.find(removal.account, "a\0b"), Option.none());
      }),
    );

    it.effect("stores a removal without destination, delimiter and UIDVALIDITY", () =>
      Effect.gen(function* () {
        const journal = yield* FolderRemovals;
        const removal = { ...(yield* newRemoval), destination: null, delimiter: null, uidValidity: null };
        yield* journal.begin(removal);
        assert.deepStrictEqual(yield* journal.find(removal.account, "f_gone"), Option.some(removal));
      }),
    );

    it.effect("keeps one removal per folder: the first", () =>
      Effect.gen(function* () {
        const journal = yield* FolderRemovals;
        const removal = yield* newRemoval;
        const others = Array.from({ length: 5 }, (_, n) => ({ ...removal, id: `${removal.id}-${n}` }));
        const begun = yield* Effect.forEach([removal, ...others], journal.begin, { concurrency: "unbounded" });
        assert.strictEqual(new Set(begun.map(({ id }) => id)).size, 1);
      }),
    );

    it.effect("leases a requested removal to one caller until the lease expires or is released", () =>
      Effect.gen(function* () {
        const journal = yield* FolderRemovals;
        const removal = yield* newRemoval;
        yield* journal.begin(removal);
        const leases = Array.from({ length: 8 }, (_, n) => ({ token: `${removal.id}-${n}`, until: T + 10 }));
        const claims = yield* Effect.forEach(leases, (lease) => journal.claimOne(removal.id, T, lease), {
          concurrency: "unbounded",
        });
        const winners = leases.filter((_, n) => Option.isSome(claims[n]!));
        assert.lengthOf(winners, 1);
        const [{ token }] = winners as [(typeof winners)[0]];
        const other = { token: "other", until: T + 30 };
        const ids = [removal.id];
        assert.deepStrictEqual(yield* journal.claimOne(removal.id, T + 9, other), Option.none());
        assert.isTrue(yield* journal.save({ ...removal, moved: 1 }, token));
        assert.deepStrictEqual(yield* journal.renew(ids, { token, until: T + 15 }), new Set(ids));
        assert.deepStrictEqual(yield* journal.claimOne(removal.id, T + 14, other), Option.none());
        assert.isTrue(Option.isSome(yield* journal.claimOne(removal.id, T + 15, other)));
        assert.isFalse(yield* journal.save({ ...removal, moved: 99 }, token), "the lease was lost");
        assert.deepStrictEqual(yield* journal.renew(ids, { token, until: T + 99 }), new Set());
        yield* journal.release(ids, token);
        assert.deepStrictEqual(yield* journal.claimOne(removal.id, T + 20, { token, until: T + 99 }), Option.none());
        yield* journal.release(ids, "other");
        const again = Option.getOrThrow(yield* journal.claimOne(removal.id, T + 20, { token, until: T + 30 }));
        assert.strictEqual(again.moved, 1);
        assert.deepStrictEqual(yield* journal.claimOne("r-unknown", T, other), Option.none());
        yield* journal.forget(removal.id);
      }),
    );

    it.effect("claims due, unleased removals, earliest first, each for one caller", () =>
      Effect.gen(function* () {
        const journal = yield* FolderRemovals;
        const [early, late] = [
          { ...(yield* newRemoval), dueAt: 5 },
          { ...(yield* newRemoval), dueAt: 6 },
        ];
        const finished: FolderRemoval = { ...(yield* newRemoval), dueAt: 4, phase: "finished" };
        for (const removal of [late, finished, early]) yield* journal.begin(removal);
        const claim = (now: number, token: string, limit = 9) => journal.claim(now, { token, until: now + 10 }, limit);
        assert.deepStrictEqual(yield* journal.nextDue, Option.some(5));
        assert.deepStrictEqual(yield* claim(4, "a"), []);
        assert.deepStrictEqual(yield* claim(6, "a", 1), [early]);
        assert.deepStrictEqual(yield* claim(6, "b"), [late]);
        assert.deepStrictEqual(yield* claim(15, "c"), []);
        assert.deepStrictEqual(yield* journal.nextDue, Option.some(16), "a lease expires");
        const postponed = { ...early, dueAt: 50 };
        assert.isTrue(yield* journal.save(postponed, "a"));
        yield* journal.release([early.id], "a");
        assert.deepStrictEqual(yield* claim(16, "c"), [late], "its lease expired");
        yield* journal.forget(late.id);
        assert.deepStrictEqual(yield* journal.nextDue, Option.some(50));
        const rivals = ["d", "e", "f", "g"].map((token) => claim(50, token));
        assert.deepStrictEqual((yield* Effect.all(rivals, { concurrency: "unbounded" })).flat(), [postponed]);
        for (const { id } of [early, finished]) yield* journal.forget(id);
      }),
    );

    it.effect("wakes a sleeping worker when a removal is journaled and when it is released", () =>
      Effect.gen(function* () {
        const journal = yield* FolderRemovals;
        const removal = yield* newRemoval;
        const told = yield* Effect.forkChild(journal.changed);
        yield* journal.begin(removal);
        yield* Fiber.join(told);
        yield* journal.claimOne(removal.id, T, { token: "me", until: T + 10 });
        const woken = yield* Effect.forkChild(journal.changed);
        yield* journal.release([removal.id], "me");
        yield* Fiber.join(woken);
        yield* journal.forget(removal.id);
      }),
    );

    it.effect("wakes a sleeping worker although the caller that journaled a removal was interrupted", () =>
      Effect.gen(function* () {
        const journal = yield* FolderRemovals;
        yield* assertWakesAlthoughInterrupted({
          newItem: newRemoval,
          write: journal.begin,
          isWritten: ({ account }) => Effect.map(journal.unfinished(account), (all) => all.length === 1),
          changed: journal.changed,
        });
      }),
    );

    it.effect("lists the unfinished removals of an account, oldest first, and deletes removals", () =>
      Effect.gen(function* () {
        const journal = yield* FolderRemovals;
        const { account, ...rest } = yield* newRemoval;
        const of = (folderId: string, begunAt: number): FolderRemoval => ({
          ...rest,
          account,
          folderId,
          begunAt,
          id: `${rest.id}-${folderId}`,
        });
        const [first, second, done] = [of("one", 5), of("two", 6), of("f_gone", T)];
        const theirs = yield* newRemoval;
        for (const removal of [second, done, first, theirs]) yield* journal.begin(removal);
        yield* journal.claimOne(done.id, 0, { token: "me", until: T });
        yield* journal.save({ ...done, phase: "finished" }, "me");
        const open = Effect.map(journal.unfinished(account), (all) => all.map(({ id }) => id));
        assert.deepStrictEqual(yield* open, [first.id, second.id]);
        assert.isTrue(Option.isSome(yield* journal.find(account, "f_gone")));
        yield* journal.forgetFinished(done.begunAt);
        assert.isTrue(Option.isSome(yield* journal.find(account, "f_gone")));
        yield* journal.forgetFinished(done.begunAt + 1);
        assert.isTrue(Option.isNone(yield* journal.find(account, "f_gone")));
        yield* journal.forget(second.id);
        assert.deepStrictEqual(yield* open, [first.id]);
        for (const { id } of [first, theirs]) yield* journal.forget(id);
      }),
    );

    it.effect("erases all removals of an account and of no other", () =>
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
