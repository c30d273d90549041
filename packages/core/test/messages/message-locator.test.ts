import { it } from "@effect/vitest";
import { Effect, Layer } from "effect";
import { describe, expect } from "vitest";
import { type FolderRecord, FolderRecords, Folders } from "../../src/folders/index.ts";
import { MessageLocator, MessageNotFound } from "../../src/messages/index.ts";
import { AccountId, type MessageRef } from "../../src/shared/index.ts";
import { MovedMessages, OwnMoves } from "../../src/watch/index.ts";
import type { LeftLocation } from "../../src/watch/ports/MovedMessages.ts";
import { readableIds } from "../doubles.ts";

const ME = AccountId("me@x.test");
const idOf = (folder: string, uid: number, uidValidity = 1) => JSON.stringify([ME, folder, uidValidity, uid]);
const record = (id: string, path: string, uidValidity: number | null = 1): FolderRecord => ({
  id,
  key: id,
  path,
  mailboxId: null,
  uidValidity,
  uidNext: 1,
  createdAt: 0,
});

/** A locator with these stored folders and left locations. A listing replaces the stored folders by `listed`. */
const world = (
  records: ReadonlyArray<FolderRecord>,
  left: ReadonlyArray<LeftLocation> = [],
  listed = records,
  begun: ReadonlyArray<LeftLocation> = [],
) => {
  const state = { records, left, listings: 0, looked: [] as Array<string | undefined> };
  const isAt = (ref: MessageRef, places: Parameters<MovedMessages["Service"]["find"]>[1]) =>
    places.some(
      ({ folderId, uidValidity, uids }) =>
        folderId === ref.folderId && uidValidity === ref.uidValidity && uids.includes(ref.uid),
    );
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
        find: (_, places) =>
          Effect.sync(() => ({
            left: state.left.filter(({ from, now }) => isAt(from, places) || isAt(now, places)),
            isMoving: begun.length > 0,
          })),
        listFolders: () => Effect.sync(() => [...new Set(state.left.map(({ from }) => from.folderId))]),
      }),
      Layer.mock(OwnMoves, {
        look: (_, pathOf) =>
          Effect.sync(() => {
            state.looked.push(pathOf("inbox"), pathOf("a"), pathOf("gone"));
            state.left = [...state.left, ...begun];
          }),
      }),
      readableIds,
    ]),
  );
  const run = <A, E>(use: (locator: MessageLocator["Service"]) => Effect.Effect<A, E>) =>
    Effect.provide(Effect.flatMap(MessageLocator, use), layer);
  /** Returns the path at which a message is used, if the message is in one of these paths. */
  const at = (id: string, ...paths: ReadonlyArray<string>) =>
    run((locator) =>
      locator.withMessage(ME, id, ({ place }) =>
        paths.includes(place.path) ? Effect.succeed(`${place.path} ${place.uid}`) : Effect.fail(new MessageNotFound()),
      ),
    );
  return { state, run, at };
};
const ref = (folderId: string, uid: number): MessageRef => ({ folderId, uidValidity: 1, uid });
/** A location that a message left. Without `id`, an earlier release moved the message, which then has the id of its new location. */
const left = (from: MessageRef, now: MessageRef, id = now): LeftLocation => ({ from, now, id });
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

  it.effect("is where Postern moved it, without a listing, by each id that was ever shown [S5.2-9]", () =>
    Effect.gen(function* () {
      const moves = [left(ref("a", 1), ref("c", 9), ref("a", 1)), left(ref("b", 7), ref("c", 9), ref("a", 1))];
      const { state, run } = world([record("a", "A"), record("b", "B"), record("c", "C")], moves);
      for (const asked of [idOf("a", 1), idOf("b", 7), idOf("c", 9)]) {
        const found = yield* run((locator) => locator.locateStored(ME, [asked]));
        expect(found.get(asked)).toMatchObject({ id: idOf("a", 1), place: { path: "C", uid: 9 } });
      }
      expect(state.listings).toBe(0);
    }),
  );

  it.effect("keeps the id of a folder that was removed [S5.2-9]", () =>
    Effect.gen(function* () {
      const { at } = world([record("c", "C")], [left(ref("gone", 1), ref("c", 9), ref("gone", 1))]);
      expect(yield* at(idOf("gone", 1), "C")).toBe("C 9");
      expect(yield* tagOf(at(idOf("gone", 2), "C"))).toBe("MessageNotFound");
    }),
  );

  it.effect("is looked for if the outcome of its move is not known [S5.2-11]", () =>
    Effect.gen(function* () {
      const records = [record("a", "A"), record("c", "C")];
      const { state, at } = world(records, [], records, [left(ref("a", 1), ref("c", 9), ref("a", 1))]);
      expect(yield* at(idOf("a", 1), "C")).toBe("C 9");
      expect(state.looked).toEqual(["INBOX", "A", undefined]);
    }),
  );

  it.effect("is followed through renames, and through moves by an earlier release, by a listing [S5.2-10]", () =>
    Effect.gen(function* () {
      const moves = [left(ref("a", 1), ref("b", 7)), left(ref("b", 7), ref("c", 9))];
      const { state, run, at } = world([record("a", "A"), record("b", "B"), record("c", "C")], moves);
      const found = yield* run((locator) => locator.locateCurrent(ME, [idOf("a", 1)]));
      expect(found.get(idOf("a", 1))).toMatchObject({ id: idOf("c", 9), place: { path: "C", uid: 9 } });
      expect(yield* at(idOf("a", 1), "C")).toBe("C 9");
      expect(state.listings).toBe(2);
      const renamed = world([record("a", "A")], [], [record("a", "Z")]);
      expect(yield* renamed.at(idOf("a", 1), "Z")).toBe("Z 1");
    }),
  );

  it.effect("is found after up to 16 moves by an earlier release", () =>
    Effect.gen(function* () {
      const moves = Array.from({ length: 17 }, (_, n) => left(ref("a", n), ref("a", n + 1)));
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
      // After a move by an earlier release, the message is requested again in the same mailbox.
      const recreated = world([record("a", "A")], [left(ref("a", 1), ref("a", 2)), left(ref("a", 2), ref("a", 3))]);
      expect(
        yield* recreated.run((locator) =>
          locator.withMessage(ME, idOf("a", 1), ({ place }) =>
            place.uid === 3 ? Effect.succeed("found") : Effect.fail(new MessageNotFound()),
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
