import { assert, layer } from "@effect/vitest";
import { type FolderRecord, FolderRecords } from "@postern/core/folders";
import { Effect, type Layer } from "effect";
import { freshAccount } from "../../fixtures/fresh-account.ts";

const record = (id: string, path: string, rest: Partial<FolderRecord> = {}): FolderRecord => ({
  id,
  key: id,
  path,
  mailboxId: null,
  uidValidity: 1,
  uidNext: 1,
  createdAt: 1_900_000_000_123,
  ...rest,
});

const INBOX = record("inbox", "INBOX", { uidValidity: 1_700_000_000, uidNext: 17 });

const byId = (records: ReadonlyArray<FolderRecord>) => records.toSorted((one, other) => (one.id < other.id ? -1 : 1));

const assertSame = (actual: ReadonlyArray<FolderRecord>, expected: ReadonlyArray<FolderRecord>, message?: string) =>
  assert.deepStrictEqual(byId(actual), byId(expected), message);

/** The contract of `FolderRecords` (spec 4). Records are loaded in any order. */
export const folderRecordsContract = (name: string, live: Layer.Layer<FolderRecords, unknown>) =>
  layer(live)(name, (it) => {
    it.effect("loads none for an unknown account", () =>
      Effect.gen(function* () {
        const records = yield* FolderRecords;
        assert.deepStrictEqual(yield* records.load(yield* freshAccount), []);
      }),
    );

    it.effect("loads every field unchanged", () =>
      Effect.gen(function* () {
        const records = yield* FolderRecords;
        const account = yield* freshAccount;
        const given = [
          INBOX,
          record("f_objectid", "Objects", { mailboxId: "F6352ae03-b7f5-463c-896f-d8b48ee3" }),
          record("f_highest", "Highest", { uidValidity: 0xffff_ffff, uidNext: 0xffff_ffff }),
          record("f_noselect", "Parent", { uidValidity: null, uidNext: null }),
          record("trash", "Deleted", { key: "f_deleted" }),
          record("f_lost", "Trash", { key: "trash" }),
          record("f_old", "Old", { createdAt: 1_700_000_000_001 }),
          record("f_upper", "WORK"),
          record("f_lower", "work"),
          record("f_odd", `Ünï/日本 "'%_\\ 💌`),
        ];
        yield* records.replace(account, given);
        assertSame(yield* records.load(account), given);
      }),
    );

    it.effect("replaces the whole set", () =>
      Effect.gen(function* () {
        const records = yield* FolderRecords;
        const account = yield* freshAccount;
        yield* records.replace(account, [INBOX, record("f_stays", "Stays"), record("f_goes", "Goes")]);
        const after = [
          { ...INBOX, uidNext: 18 },
          record("f_stays", "Moved", { uidValidity: 9, uidNext: 10 }),
          record("f_new", "Goes"),
        ];
        yield* records.replace(account, after);
        assertSame(yield* records.load(account), after);
        yield* records.replace(account, []);
        assert.deepStrictEqual(yield* records.load(account), []);
      }),
    );

    it.effect("lets two folders exchange their paths", () =>
      Effect.gen(function* () {
        const records = yield* FolderRecords;
        const account = yield* freshAccount;
        yield* records.replace(account, [record("f_one", "A"), record("f_two", "B")]);
        const exchanged = [record("f_one", "B"), record("f_two", "A")];
        yield* records.replace(account, exchanged);
        assertSame(yield* records.load(account), exchanged);
      }),
    );

    it.effect("separates accounts whose folders have equal ids and paths", () =>
      Effect.gen(function* () {
        const records = yield* FolderRecords;
        const mine = yield* freshAccount;
        const theirs = yield* freshAccount;
        yield* records.replace(mine, [INBOX, record("f_same", "Same")]);
        const other = [{ ...INBOX, uidValidity: 5 }, record("f_same", "Same", { uidNext: 6 })];
        yield* records.replace(theirs, other);
        yield* records.replace(mine, []);
        assert.deepStrictEqual(yield* records.load(mine), []);
        assertSame(yield* records.load(theirs), other);
      }),
    );

    it.effect("stores thousands of folders", () =>
      Effect.gen(function* () {
        const records = yield* FolderRecords;
        const account = yield* freshAccount;
        const many = Array.from({ length: 5000 }, (_, n) => record(`f_${n}`, `Folder ${n}`, { uidNext: n + 1 }));
        yield* records.replace(account, many);
        assertSame(yield* records.load(account), many);
      }),
    );

    it.effect("shows only whole sets during concurrent replacements, and ends with one of them", () =>
      Effect.gen(function* () {
        const records = yield* FolderRecords;
        const account = yield* freshAccount;
        const one = Array.from({ length: 20 }, (_, n) => record(`f_${n}`, `One ${n}`, { uidValidity: 1 }));
        const two = Array.from({ length: 30 }, (_, n) => record(`f_${n + 10}`, `Two ${n}`, { uidValidity: 2 }));
        yield* records.replace(account, one);
        for (let round = 0; round < 10; round++) {
          const [, seen] = yield* Effect.all(
            [
              Effect.forEach([one, two, one, two], (set) => records.replace(account, set), {
                concurrency: "unbounded",
              }),
              Effect.forEach(Array.from({ length: 4 }), () => records.load(account), { concurrency: "unbounded" }),
            ],
            { concurrency: "unbounded" },
          );
          for (const loaded of [...seen, yield* records.load(account)]) {
            assertSame(loaded, loaded[0]?.uidValidity === 1 ? one : two, `round ${round}`);
          }
        }
      }),
    );

    it.effect("erases an account and no other", () =>
      Effect.gen(function* () {
        const records = yield* FolderRecords;
        const [mine, theirs] = [yield* freshAccount, yield* freshAccount];
        for (const account of [mine, theirs]) yield* records.replace(account, [INBOX]);
        yield* records.erase(mine);
        assertSame(yield* records.load(mine), []);
        assertSame(yield* records.load(theirs), [INBOX]);
        yield* records.replace(mine, [INBOX]);
        assertSame(yield* records.load(mine), [INBOX]);
      }),
    );
  });
