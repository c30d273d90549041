import { it } from "@effect/vitest";
import { Effect, Layer } from "effect";
import { describe, expect } from "vitest";
import { MessageSearch } from "../../src/messages/index.ts";
import {
  type DateCursor,
  encodeDateCursor,
  mergeByDate,
  readDateCursor,
} from "../../src/messages/search/date-order.ts";
import { sliceByDate, sortByDate } from "../../src/messages/search/slice-by-date.ts";
import { idOf, ME, stored } from "./mailbox-in-memory.ts";

const folder = (id: string) => ({ id, key: `key of ${id}`, path: `path of ${id}` });
const [A, B, C, D] = [folder("A"), folder("B"), folder("C"), folder("D")];
const WHERE = [A, B, C, D];
const UIDS = new Map([
  [A, [1, 2]],
  [B, []],
  [C, [3, 4]],
  [D, [5]],
]);
/** When the message with each UID arrived. By date: 5 in D; 2 in A and 4 in C at the same time; 3 in C; 1 in A. */
const ARRIVALS = new Map([
  [1, 10],
  [2, 40],
  [3, 30],
  [4, 40],
  [5, 50],
]);

/** Asks for a page of what was found in the folders that are not left. */
const slice = ({
  left = Array<typeof A>(),
  from = 0,
  cursor = undefined as DateCursor | undefined,
  skip = 0,
  limit = 2,
  uids = UIDS as ReadonlyMap<typeof A, ReadonlyArray<number>>,
} = {}) => {
  const asked: Array<string> = [];
  const search = Layer.mock(MessageSearch, {
    arrivals: (account, places) =>
      Effect.sync(() => {
        asked.push(...places.map((one) => `${account} ${one.path} ${one.uidValidity} ${one.uids.join()}`));
        return places.map((one) => new Map(one.uids.map((uid) => [uid, ARRIVALS.get(uid)!])));
      }),
  });
  const finds = WHERE.flatMap((one) =>
    left.includes(one) ? [] : [{ folder: one, uidValidity: 7, uids: uids.get(one) ?? [], unread: [] }],
  );
  return Effect.flatMap(MessageSearch, (on) =>
    sliceByDate(on, ME, { finds, left, where: WHERE, from }, cursor, skip, limit),
  ).pipe(
    Effect.provide(search),
    Effect.map(({ skipped, shown, nextCursor }) => ({
      asked,
      skipped,
      shown: shown.map((one) => `${one.folder.id} ${one.uids.join()}`),
      nextCursor,
    })),
  );
};
const at = (arrived: number, where: string, uid: number) => ({ at: arrived, folderId: where, uid });
const cursorTo = (folderId: string, until: string | null, after: DateCursor["after"]): DateCursor => ({
  folderId,
  until,
  after,
});

describe("a page of results by date", () => {
  it.effect.each<[skip: number, limit: number, shown: ReadonlyArray<string>, after: DateCursor["after"]]>([
    [0, 1, ["D 5"], at(50, "D", 5)],
    [0, 2, ["A 2", "D 5"], at(40, "A", 2)],
    [1, 2, ["A 2", "C 4"], at(40, "C", 4)],
    [2, 2, ["C 4,3"], at(30, "C", 3)],
    [2, 3, ["A 1", "C 4,3"], null],
    [4, 1, ["A 1"], null],
    [5, 2, [], null],
    [9, 2, [], null],
  ])(
    "skips %d results and shows at most %d: the latest, and at one time by folder [S5.4-12]",
    ([skip, limit, shown, after]) =>
      Effect.gen(function* () {
        const page = yield* slice({ skip, limit });
        expect(page).toEqual({
          asked: ["me@x.test path of A 7 1,2", "me@x.test path of C 7 3,4", "me@x.test path of D 7 5"],
          skipped: skip,
          shown,
          nextCursor: after && encodeDateCursor(cursorTo("A", null, after)),
        });
      }),
  );

  it.effect("asks for no arrivals if nothing was found", () =>
    Effect.gen(function* () {
      expect(yield* slice({ uids: new Map() })).toEqual({ asked: [], skipped: 0, shown: [], nextCursor: null });
    }),
  );

  it.effect("goes on with the same folder if it was not searched", () =>
    Effect.gen(function* () {
      const nextCursor = encodeDateCursor(cursorTo("B", null, null));
      expect(yield* slice({ from: 1, left: [B, C, D], limit: 9 })).toEqual({
        asked: [],
        skipped: 2,
        shown: [],
        nextCursor,
      });
    }),
  );

  it.effect("continues after the cursor, even if its message or folder is gone", () =>
    Effect.gen(function* () {
      const after = (last: DateCursor["after"]) =>
        Effect.map(slice({ cursor: cursorTo("A", null, last), skip: 4 }), ({ skipped, shown }) => [skipped, ...shown]);
      expect(yield* after(null)).toEqual([0, "A 2", "D 5"]);
      expect(yield* after(at(60, "A", 9))).toEqual([0, "A 2", "D 5"]);
      expect(yield* after(at(50, "D", 5))).toEqual([1, "A 2", "C 4"]);
      expect(yield* after(at(45, "A", 9))).toEqual([1, "A 2", "C 4"]);
      expect(yield* after(at(40, "A", 2))).toEqual([2, "C 4,3"]);
      expect(yield* after(at(40, "B", 9))).toEqual([2, "C 4,3"]);
      expect(yield* after(at(40, "C", 5))).toEqual([2, "C 4,3"]);
      expect(yield* after(at(40, "C", 4))).toEqual([3, "A 1", "C 3"]);
      expect(yield* after(at(10, "A", 1))).toEqual([5]);
      expect(yield* after(at(40, "gone", 9))).toEqual([1, "A 2", "C 4"]);
    }),
  );

  it.effect("merges the folders that were searched, and then goes on with the others", () =>
    Effect.gen(function* () {
      const { asked, ...first } = yield* slice({ left: [C, D], limit: 1 });
      expect(asked).toEqual(["me@x.test path of A 7 1,2"]);
      expect(first).toEqual({
        skipped: 0,
        shown: ["A 2"],
        nextCursor: encodeDateCursor(cursorTo("A", "C", at(40, "A", 2))),
      });
      const rest = encodeDateCursor(cursorTo("C", null, null));
      expect(yield* slice({ left: [C, D] })).toMatchObject({ shown: ["A 2,1"], nextCursor: rest });
      expect(yield* slice({ left: [C, D], skip: 2 })).toMatchObject({ shown: [], nextCursor: rest });
      // The next page merges the same folders, no matter how many are searched this time.
      const cursor = cursorTo("A", "C", at(40, "A", 2));
      for (const left of [[], [D], [C, D]]) {
        expect(yield* slice({ left, cursor })).toMatchObject({ skipped: 1, shown: ["A 1"], nextCursor: rest });
      }
      // After the last of them the other folders follow, and the results before them count as skipped.
      expect(yield* slice({ from: 2, cursor: cursorTo("C", null, null) })).toEqual({
        asked: ["me@x.test path of C 7 3,4", "me@x.test path of D 7 5"],
        skipped: 2,
        shown: ["C 4", "D 5"],
        nextCursor: encodeDateCursor(cursorTo("C", null, at(40, "C", 4))),
      });
      // Folders before the cursor's are searched last. Whether they were reached does not matter.
      expect(yield* slice({ from: 2, left: [A, B], cursor: cursorTo("C", null, null), limit: 3 })).toMatchObject({
        skipped: 0,
        shown: ["C 4,3", "D 5"],
        nextCursor: null,
      });
    }),
  );

  it.effect("fails if a folder of the page before is not searched in time, or is unknown", () =>
    Effect.gen(function* () {
      const failure = (cursor: DateCursor, ...left: ReadonlyArray<typeof A>) =>
        Effect.map(Effect.flip(slice({ cursor, left: [...left] })), (error) =>
          error._tag === "MailServerError" ? `${error.operation} ${error.reason}` : error._tag,
        );
      const last = at(40, "A", 2);
      expect(yield* failure(cursorTo("A", "C", last), B, C, D)).toBe("search timeout");
      expect(yield* failure(cursorTo("A", null, last), D)).toBe("search timeout");
      expect(yield* failure(cursorTo("A", "gone", last))).toBe("CursorMalformed");
      // Without a result before, any folders may be merged.
      expect((yield* slice({ cursor: cursorTo("A", "gone", null), left: [D] })).shown).toEqual(["A 2", "C 4"]);
    }),
  );
});

it("results are merged by date, and in a folder the highest UID is first", () => {
  const finds = [
    { folder: A, uidValidity: 7, uids: [1, 2, 3], unread: [] },
    { folder: C, uidValidity: 7, uids: [1, 4], unread: [] },
  ];
  const arrivals = [
    new Map([
      [1, 20],
      [2, 20],
    ]),
    new Map([
      [1, 20],
      [4, 30],
    ]),
  ];
  const rank = new Map([
    ["A", 0],
    ["C", 1],
  ]);
  // The message 3 of A is gone.
  expect(mergeByDate(finds, arrivals, rank)).toEqual([at(30, "C", 4), at(20, "A", 2), at(20, "A", 1), at(20, "C", 1)]);
});

it("messages are sorted by date, then by folder, then by UID", () => {
  const entry = (where: string, uid: number, arrivedAt: number) => ({
    id: idOf(where, uid),
    folderId: where,
    path: where,
    uidValidity: 7,
    message: stored(uid, { arrivedAt }),
  });
  const sorted = sortByDate({ finds: [], left: [], where: WHERE, from: 0 }, [
    entry("D", 9, 20),
    entry("A", 1, 20),
    entry("A", 2, 20),
    entry("A", 3, 10),
    entry("B", 1, 30),
  ]);
  expect(sorted.map(({ folderId, message: { uid } }) => `${folderId} ${uid}`)).toEqual([
    "B 1",
    "A 2",
    "A 1",
    "D 9",
    "A 3",
  ]);
});

describe("the cursor of a search by date", () => {
  it.effect.each([cursorTo("A", null, null), cursorTo("A", "C", at(40, "A", 2)), cursorTo("A", null, at(0, "", 0))])(
    "is read as it was written: %o",
    (cursor) => Effect.map(readDateCursor(encodeDateCursor(cursor)), (read) => expect(read).toEqual(cursor)),
  );

  it.effect.each(["", "?", "W10", "WyJBIl0", "WyJBIixudWxsLDFd"])("is malformed in another form: %s", (text) =>
    Effect.map(Effect.flip(readDateCursor(text)), ({ _tag }) => expect(_tag).toBe("CursorMalformed")),
  );
});
