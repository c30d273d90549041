import { it } from "@effect/vitest";
import { Effect, Layer, Option } from "effect";
import { describe, expect } from "vitest";
import { type FolderRecord, FolderRecords } from "../../src/folders/index.ts";
import { MailServerError } from "../../src/mail/index.ts";
import type { InboxPage } from "../../src/messages/index.ts";
import { idsAt, pageIds, shownIds } from "../../src/messages/shown-ids.ts";
import { type BegunMove, FollowedMailboxes, MovedMessages, OwnMoves } from "../../src/watch/index.ts";
import type { LeftLocation } from "../../src/watch/ports/MovedMessages.ts";
import { readableIds } from "../doubles.ts";
import { idOf, ME, stored } from "./mailbox-in-memory.ts";

const ref = (folderId: string, uid: number) => ({ folderId, uidValidity: 1, uid });
const page = (...uids: ReadonlyArray<number>): InboxPage => ({
  folder: { id: "a", key: "a", path: "A", uidValidity: 1 },
  page: 1,
  limit: 20,
  total: uids.length,
  unread: 0,
  pages: 1,
  nextCursor: null,
  emails: uids.map((uid) => ({ id: idOf("a", uid), message: stored(uid) })),
});

/** The recorded moves, and the queries about them. */
const world = () => {
  const state = {
    left: Array<LeftLocation>(),
    begun: Array<string>(),
    log: Array<string>(),
    /** The UIDVALIDITY that the follower has for the folder. */
    followedTo: undefined as number | undefined,
    /** How often the state of the followed folder was asked for. */
    compared: 0,
    /** The paths of `inbox`, `b` and a folder that is gone, when moves are looked for. */
    paths: Array<string | undefined>(),
    /** Runs when moves of unknown outcome are looked for. */
    look: Effect.void as Effect.Effect<void, MailServerError>,
  };
  const note = (what: string) => void state.log.push(what);
  const layer = Layer.mergeAll(
    readableIds,
    Layer.mock(FolderRecords, { load: () => Effect.succeed([{ key: "b", path: "B" } as FolderRecord]) }),
    Layer.mock(MovedMessages, {
      find: () => Effect.sync(() => (note("find"), { left: state.left, isMoving: state.begun.length > 0 })),
      listBegun: () => Effect.sync(() => state.begun.map((toFolderId) => ({ toFolderId }) as BegunMove)),
    }),
    Layer.mock(FollowedMailboxes, {
      find: () =>
        Effect.sync(() => {
          state.compared++;
          return Option.map(Option.fromUndefinedOr(state.followedTo), (uidValidity) => ({
            cursor: { uidValidity, uidNext: 3, highestModSeq: null },
            seenFrom: 1,
          }));
        }),
    }),
    Layer.mock(OwnMoves, {
      look: (_, pathOf) =>
        Effect.suspend(() => {
          note("look");
          state.paths = ["inbox", "b", "gone"].map(pathOf);
          return state.look;
        }),
    }),
  );
  return { state, on: Effect.provide(shownIds, layer) };
};

describe("the ids of a kept page", () => {
  it.effect("are looked up once if no message was moved there [S5.2-9]", () =>
    Effect.gen(function* () {
      const { state, on } = world();
      const withIds = pageIds(yield* on);
      const kept = page(2, 1);
      expect(yield* withIds(ME, ME, kept)).toBe(kept);
      expect(yield* withIds(ME, ME, kept)).toBe(kept);
      expect(state.log).toEqual(["find"]);
    }),
  );

  it.effect("need one check whether the folder is followed, not one for each page", () =>
    Effect.gen(function* () {
      const { state, on } = world();
      const withIds = pageIds(yield* on);
      for (const kept of [page(1), page(2, 1), page(3, 2, 1)]) yield* withIds(ME, ME, kept);
      expect([state.log, state.compared]).toEqual([["find", "find", "find"], 1]);
      const again = page(4);
      for (let n = 0; n < 3; n++) yield* withIds(ME, ME, again);
      expect([state.log.length, state.compared]).toEqual([4, 1]);
      yield* withIds(ME, ME, { ...page(1), folder: { id: "a", key: "a", path: "A", uidValidity: 2 } });
      expect(state.compared).toBe(2);
    }),
  );

  it.effect("are looked up again until the follower has compared a folder with a new UIDVALIDITY [S5.2-13]", () =>
    Effect.gen(function* () {
      const { state, on } = world();
      const withIds = pageIds(yield* on);
      const kept = page(2, 1);
      state.followedTo = 7;
      yield* withIds(ME, ME, kept);
      yield* withIds(ME, ME, kept);
      state.followedTo = 1;
      yield* withIds(ME, ME, kept);
      yield* withIds(ME, ME, kept);
      expect(state.log).toEqual(["find", "find", "find"]);
    }),
  );

  it.effect("are looked up again if a message was moved there, and the page stays the same while the ids do", () =>
    Effect.gen(function* () {
      const { state, on } = world();
      const withIds = pageIds(yield* on);
      state.left.push({ from: ref("b", 7), now: ref("a", 2), id: ref("b", 7) });
      const kept = page(2, 1);
      const shown = yield* withIds(ME, ME, kept);
      expect(shown.emails.map(({ id, message }) => [id, message.uid])).toEqual([
        [idOf("b", 7), 2],
        [idOf("a", 1), 1],
      ]);
      expect(yield* withIds(ME, ME, kept)).toBe(shown);
      expect(state.log).toEqual(["find", "find"]);
      state.left.length = 0;
      expect(yield* withIds(ME, ME, kept)).toBe(kept);
    }),
  );

  it.effect("are searched for while a move to the folder is in progress, but not during a move to another one", () =>
    Effect.gen(function* () {
      const { state, on } = world();
      const withIds = pageIds(yield* on);
      state.begun.push("b");
      const kept = page(2);
      yield* withIds(ME, ME, kept);
      yield* withIds(ME, ME, kept);
      expect(state.log).toEqual(["find"]);
      state.begun.push("a");
      state.look = Effect.sync(() => {
        state.begun.length = 0;
        state.left.push({ from: ref("b", 7), now: ref("a", 2), id: ref("b", 7) });
      });
      const shown = yield* withIds(ME, ME, page(2));
      expect(state.log.slice(1)).toEqual(["find", "look", "find"]);
      expect(state.paths).toEqual(["INBOX", "B", undefined]);
      expect(shown.emails[0]!.id).toBe(idOf("b", 7));
    }),
  );

  it.effect("are those of the locations if the mail server does not answer", () =>
    Effect.gen(function* () {
      const { state, on } = world();
      state.begun.push("a");
      state.look = Effect.fail(new MailServerError({ reason: "timeout", operation: "fetch", detail: "none" }));
      const found = yield* idsAt(yield* on, ME, [{ folderId: "a", uidValidity: 1, uids: [2] }]);
      expect(found).toEqual({ ids: [[idOf("a", 2)]], isFinal: false });
    }),
  );
});

describe("the id of a message that Postern moved", () => {
  it.effect.each([ref("b", 2), ref("a", 7), { ...ref("a", 2), uidValidity: 9 }])(
    "is that of its first place, which differs in the folder, the UID or the UIDVALIDITY: %o [S5.2-9]",
    (first) =>
      Effect.gen(function* () {
        const { state, on } = world();
        state.left.push({ from: first, now: ref("a", 2), id: first });
        const found = yield* idsAt(yield* on, ME, [{ folderId: "a", uidValidity: 1, uids: [1, 2] }]);
        expect(found).toEqual({
          ids: [[idOf("a", 1), idOf(first.folderId, first.uid, first.uidValidity)]],
          isFinal: false,
        });
      }),
  );

  it.effect("is known for up to 10,000 folders to need no comparison", () =>
    Effect.gen(function* () {
      const { state, on } = world();
      const withIds = pageIds(yield* on);
      const pageOf = (n: number) => ({ ...page(1), folder: { id: `f${n}`, key: `f${n}`, path: "A", uidValidity: 1 } });
      for (let n = 0; n < 10_000; n++) yield* withIds(ME, ME, pageOf(n));
      yield* withIds(ME, ME, pageOf(0));
      expect(state.compared).toBe(10_000);
      yield* withIds(ME, ME, pageOf(10_000));
      yield* withIds(ME, ME, pageOf(1));
      expect(state.compared).toBe(10_001);
      yield* withIds(ME, ME, pageOf(0));
      expect(state.compared).toBe(10_002);
    }),
  );
});
