import { it } from "@effect/vitest";
import { Duration, Effect, Fiber, Layer, Stream } from "effect";
import { TestClock } from "effect/testing";
import { describe, expect } from "vitest";
import { Folders } from "../../src/folders/index.ts";
import { MessageSearch, Search } from "../../src/messages/index.ts";
import type { FoundUids } from "../../src/messages/ports/MessageSearch.ts";
import { incompleteness, searchableFolders, searchFolders } from "../../src/messages/search-folders.ts";
import { MailboxWorld, ME, stored } from "./mailbox-in-memory.ts";

const folder = (id: string) => ({ id, key: id, path: `path of ${id}` });
const [A, B, C] = [folder("A"), folder("B"), folder("C")];
const WHERE = [A, B, C];
const found = (uids: ReadonlyArray<number>, unread = uids): FoundUids => ({ uidValidity: 7, uids, unread });

/** Searches folders that answer in this order; `ids` are the server's ids of the messages, as `A 1`. */
const search = (
  answers: ReadonlyArray<readonly [typeof A, FoundUids | null]>,
  { ids = {} as Readonly<Record<string, string>>, time = undefined as Duration.Input | undefined, from = 0 } = {},
) => {
  const asked: Array<unknown> = [];
  const layer = Layer.mock(MessageSearch, {
    find: (_, paths) =>
      Stream.suspend(() => {
        asked.push(paths.map((path) => path.slice(-1)).join(""));
        return Stream.concat(
          Stream.fromIterable(answers.map(([{ path }, uids]) => [path, uids] as const)),
          answers.length < WHERE.length ? Stream.never : Stream.empty,
        );
      }),
    emailIds: (_, places) =>
      Effect.sync(() => {
        asked.push(places.map(({ path, uids }) => `${path.slice(-1)} ${uids.join()}`).join(" "));
        return places.map(
          ({ path, uids }) =>
            new Map(
              uids.flatMap((uid) => {
                const id = ids[`${path.slice(-1)} ${uid}`];
                return id === undefined ? [] : [[uid, id] as const];
              }),
            ),
        );
      }),
  });
  return Effect.gen(function* () {
    const searching = yield* Effect.forkChild(searchFolders(yield* MessageSearch, ME, WHERE, {}, time, from));
    yield* TestClock.adjust("1 minute");
    const { finds, left } = yield* Fiber.join(searching);
    return {
      finds: finds.map((one) => `${one.folder.id} ${one.uids.join()} unread ${one.unread.join()}`),
      left: left.map(({ id }) => id).join(""),
      asked,
    };
  }).pipe(Effect.provide(layer));
};

describe("a search of several folders", () => {
  it.effect("has the results in the order of the folders, without folders that are gone", () =>
    Effect.gen(function* () {
      const answers = [
        [C, found([3])],
        [B, null],
        [A, found([1, 2], [2])],
      ] as const;
      expect(yield* search(answers)).toEqual({
        finds: ["A 1,2 unread 2", "C 3 unread 3"],
        left: "",
        asked: ["ABC", "A 1,2 C 3"],
      });
      expect((yield* search(answers, { from: 2 })).asked[0]).toBe("CAB");
    }),
  );

  it.effect("leaves the folders from the first one on that did not answer in time", () =>
    Effect.gen(function* () {
      const time = "10 seconds";
      const one = yield* search([[A, found([1])]], { time });
      expect([one.finds, one.left]).toEqual([["A 1 unread 1"], "BC"]);
      const gap = yield* search(
        [
          [A, found([1])],
          [C, found([3])],
        ],
        { time },
      );
      expect([gap.finds, gap.left]).toEqual([["A 1 unread 1"], "BC"]);
      const late = yield* search([[C, found([3])]], { time, from: 2 });
      expect([late.finds, late.left]).toEqual([["C 3 unread 3"], "AB"]);
    }),
  );

  it.effect("asks nothing once the time is over", () =>
    Effect.gen(function* () {
      for (const time of [0, -1]) {
        expect(yield* search([[A, found([1])]], { time })).toEqual({ finds: [], left: "ABC", asked: [] });
      }
    }),
  );

  it.effect("has each message that the server recognises once, in its first folder [S5.4-3]", () =>
    Effect.gen(function* () {
      const ids = { "A 1": "e1", "A 2": "e2", "B 5": "e2", "B 6": "e3", "C 8": "e3", "C 9": "e1" };
      const { finds } = yield* search(
        [
          [A, found([1, 2])],
          [B, found([4, 5, 6], [5, 6])],
          [C, found([7, 8, 9])],
        ],
        { ids },
      );
      expect(finds).toEqual(["A 1,2 unread 1,2", "B 4,6 unread 6", "C 7 unread 7"]);
      const alone = yield* search([
        [A, found([])],
        [B, found([4])],
        [C, null],
      ]);
      expect(alone).toEqual({ finds: ["A  unread ", "B 4 unread 4"], left: "", asked: ["ABC"] });
    }),
  );
});

it("at most 100 folders that were not searched are named [S5.4-8]", () => {
  expect(incompleteness([])).toBeNull();
  expect(incompleteness([A])).toEqual({ unsearched: 1, folders: [{ id: "A", path: "path of A" }] });
  const many = incompleteness(Array.from({ length: 101 }, (_, n) => folder(`${n}`)));
  expect([many?.unsearched, many?.folders.length, many?.folders.at(-1)?.id]).toEqual([101, 100, "99"]);
});

it.effect("INBOX and the other folders are searched before Junk and Trash [S5.4-3]", () =>
  Effect.gen(function* () {
    const mail = new MailboxWorld([
      { id: "Trash", role: "trash", messages: [] },
      { id: "Junk", role: "junk", messages: [] },
      { id: "inbox", role: "inbox", messages: [] },
      { id: "Name", selectable: false, messages: [] },
      { id: "A", messages: [] },
    ]);
    const folders = yield* Effect.provide(
      Effect.flatMap(Folders, (all) => searchableFolders(all, ME)),
      mail.layer,
    );
    expect(folders.map(({ id }) => id)).toEqual(["inbox", "A", "Junk", "Trash"]);
  }),
);

it.effect("a search of one folder that takes too long is not repeated", () =>
  Effect.gen(function* () {
    const mail = new MailboxWorld([{ id: "A", messages: [stored(1)] }]);
    mail.searchTime = "11 seconds";
    const list = Effect.flatMap(Search, (one) => one.list(ME, { folder: "A", unread: true })).pipe(
      Effect.provide(Search.layer.pipe(Layer.provide(mail.layer))),
    );
    const searching = yield* Effect.forkChild(Effect.flip(list));
    yield* TestClock.adjust("1 minute");
    expect(yield* Fiber.join(searching)).toMatchObject({ _tag: "MailServerError", reason: "timeout" });
    expect(mail.log).toEqual(["search A"]);
  }),
);
