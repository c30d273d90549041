import { it } from "@effect/vitest";
import { Effect, Layer, Option } from "effect";
import { describe, expect } from "vitest";
import { type FolderRecord, FolderRecords, Folders } from "../../src/folders/index.ts";
import { MessageLocator, MessageNotFound, type Move, MovedMessages } from "../../src/messages/index.ts";
import { AccountId } from "../../src/shared/index.ts";
import { readableIds } from "../doubles.ts";

const ME = AccountId("me@x.test");
const idOf = (folder: string, uid: number, uidValidity = 1) => JSON.stringify([ME, folder, uidValidity, uid]);
const record = (id: string, path: string, uidValidity: number | null = 1): FolderRecord => ({
  id,
  path,
  mailboxId: null,
  uidValidity,
  uidNext: 1,
  createdAt: 0,
});

/** A locator with these stored folders, which a listing replaces by `listed`, and recorded moves. */
const world = (records: ReadonlyArray<FolderRecord>, moves: ReadonlyArray<Move> = [], listed = records) => {
  const state = { records, listings: 0 };
  const layer = MessageLocator.layer.pipe(
    Layer.provide([
      Layer.mock(FolderRecords, { load: () => Effect.sync(() => state.records) }),
      Layer.mock(Folders, {
        list: () =>
          Effect.sync(() => {
            state.listings++;
            state.records = listed;
            return [];
          }),
      }),
      Layer.mock(MovedMessages, {
        find: (_, from) =>
          Effect.sync(() =>
            Option.map(
              Option.fromUndefinedOr(
                moves.find((one) => one.from.folderId === from.folderId && one.from.uid === from.uid),
              ),
              ({ to }) => to,
            ),
          ),
      }),
      readableIds,
    ]),
  );
  const run = <A, E>(use: (locator: MessageLocator["Service"]) => Effect.Effect<A, E>) =>
    Effect.provide(Effect.flatMap(MessageLocator, use), layer);
  /** Tells where a message is used, if it is in one of these paths. */
  const at = (id: string, ...paths: ReadonlyArray<string>) =>
    run((locator) =>
      locator.withMessage(ME, id, ({ place }) =>
        paths.includes(place.path) ? Effect.succeed(`${place.path} ${place.uid}`) : Effect.fail(new MessageNotFound()),
      ),
    );
  return { state, run, at };
};
const move = (from: string, uid: number, to: string, toUid: number): Move => ({
  from: { folderId: from, uidValidity: 1, uid },
  to: { folderId: to, uidValidity: 1, uid: toUid },
});
const tagOf = <A, E extends { readonly _tag: string }>(effect: Effect.Effect<A, E>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag);

describe("a message by its id", () => {
  it.effect("is where its folder was stored, without a listing", () =>
    Effect.gen(function* () {
      const { state, run, at } = world([record("a", "A"), record("n", "N", null)]);
      const ids = [idOf("a", 1), idOf("inbox", 2), idOf("n", 3), idOf("gone", 4)];
      const found = yield* run((locator) => locator.locateStored(ME, ids));
      expect([...found].map(([asked, { id, place }]) => [asked, id, place.path, place.uid])).toEqual([
        [ids[0], ids[0], "A", 1],
        [ids[1], ids[1], "INBOX", 2],
      ]);
      expect(yield* at(idOf("a", 1), "A")).toBe("A 1");
      expect(state.listings).toBe(0);
    }),
  );

  it.effect("is followed through moves and renames by a listing", () =>
    Effect.gen(function* () {
      const moves = [move("a", 1, "b", 7), move("b", 7, "c", 9)];
      const { state, run, at } = world([record("a", "A"), record("b", "B"), record("c", "C")], moves);
      const found = yield* run((locator) => locator.locateCurrent(ME, [idOf("a", 1)]));
      expect(found.get(idOf("a", 1))).toMatchObject({ id: idOf("c", 9), place: { path: "C", uid: 9 } });
      expect(yield* at(idOf("a", 1), "C")).toBe("C 9");
      expect(state.listings).toBe(2);
      const renamed = world([record("a", "A")], [], [record("a", "Z")]);
      expect(yield* renamed.at(idOf("a", 1), "Z")).toBe("Z 1");
    }),
  );

  it.effect("is found after up to 16 moves", () =>
    Effect.gen(function* () {
      const moves = Array.from({ length: 17 }, (_, n) => move("a", n, "a", n + 1));
      const { run } = world([record("a", "A")], moves);
      const found = yield* run((locator) => locator.locateCurrent(ME, [idOf("a", 0)]));
      expect(found.get(idOf("a", 0))?.place.uid).toBe(16);
    }),
  );

  it.effect("is not found if it is in no other place, and is looked for once in each place", () =>
    Effect.gen(function* () {
      let asked = 0;
      const { run, at } = world([record("a", "A")]);
      const ask = run((locator) =>
        locator.withMessage(ME, idOf("a", 1), () =>
          Effect.suspend(() => (asked++, Effect.fail(new MessageNotFound()))),
        ),
      );
      expect([yield* tagOf(ask), asked]).toEqual(["MessageNotFound", 1]);
      expect(yield* tagOf(at(idOf("gone", 1), "A"))).toBe("MessageNotFound");
      // In another mailbox of its name it is asked for again.
      const recreated = world([record("a", "A")], [move("a", 1, "a", 2)]);
      expect(
        yield* recreated.run((locator) =>
          locator.withMessage(ME, idOf("a", 1), ({ place }) =>
            place.uid === 2 ? Effect.succeed("found") : Effect.fail(new MessageNotFound()),
          ),
        ),
      ).toBe("found");
    }),
  );

  it.effect("fails with the error of its use, without a listing", () =>
    Effect.gen(function* () {
      const { state, run } = world([record("a", "A")]);
      const use = run((locator) =>
        locator.withMessage(ME, idOf("a", 1), () => Effect.fail({ _tag: "Broken" as const })),
      );
      expect([yield* tagOf(use), state.listings]).toEqual(["Broken", 0]);
    }),
  );
});
