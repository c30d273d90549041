import { it } from "@effect/vitest";
import { Effect, Layer } from "effect";
import { TestClock } from "effect/testing";
import { describe, expect } from "vitest";
import { AccountId } from "../../src/shared/index.ts";
import {
  AccountWatches,
  FollowedMailboxes,
  InboxWatch,
  MessageFingerprints,
  MovedMessages,
  OwnMoves,
} from "../../src/watch/index.ts";
import { WatchStarter } from "../../src/watch/neighbours.ts";
import { noTransaction, numberedIds } from "../doubles.ts";

const NOW = 1_900_000_000_000;
const ME = AccountId("me@x.test");

/** Watches of accounts that are not watched, unless another request has added the watch meanwhile. */
const world = ({ isAdded = true, uidValidity = 7 } = {}) => {
  const did: Array<unknown> = [];
  const note = (what: unknown) => Effect.sync(() => void did.push(what));
  const layer = Layer.merge(WatchStarter.layer, OwnMoves.layer).pipe(
    Layer.provide([
      Layer.mock(AccountWatches, {
        isOursAlone: false,
        changed: Effect.never,
        extend: () => Effect.succeed(false),
        add: (_, until) => Effect.as(note(`add ${until - NOW}`), isAdded),
      }),
      Layer.mock(FollowedMailboxes, {
        moveTo: (_, key) => note(`move ${key}`),
        backfill: (_, key) => note(`record ${key}`),
      }),
      Layer.mock(InboxWatch, {
        readPresent: () =>
          Effect.succeed({
            cursor: { uidValidity: 7, uidNext: 10, highestModSeq: null },
            newest: { uidValidity, from: 4, messages: [] },
          }),
      }),
      Layer.mock(MessageFingerprints, {}),
      Layer.mock(MovedMessages, {
        begin: (_, moves) => note(moves),
      }),
      noTransaction,
      numberedIds,
    ]),
  );
  return <A, E>(body: Effect.Effect<A, E, WatchStarter | OwnMoves>) =>
    Effect.as(Effect.andThen(TestClock.setTime(NOW), Effect.provide(body, layer)), did);
};

describe("a watch", () => {
  const begin = Effect.flatMap(WatchStarter, (starter) => starter.begin(ME));

  it.effect("that another request began meanwhile stays at its cursor", () =>
    Effect.gen(function* () {
      expect(yield* world({ isAdded: false })(begin)).toEqual(["add 100000"]);
    }),
  );

  it.effect("records no messages of another UIDVALIDITY", () =>
    Effect.gen(function* () {
      expect(yield* world()(begin)).toEqual(["add 100000", "move inbox", "record inbox"]);
      expect(yield* world({ uidValidity: 8 })(begin)).toEqual(["add 100000", "move inbox"]);
    }),
  );
});

describe("a move of our own", () => {
  const FROM = { folderId: "a", uidValidity: 7, path: "A" };
  const moves = <A, E>(use: (own: OwnMoves["Service"]) => Effect.Effect<A, E>) =>
    world()(Effect.flatMap(OwnMoves, use));

  it.effect("is recorded with its messages: none without a message or without shown ids", () =>
    Effect.gen(function* () {
      const message = { uid: 3, emailId: null, messageId: null, size: 5, arrivedAt: 1 };
      const to = { key: "b", uidNext: null };
      const begin = (from: Omit<typeof FROM, "folderId"> & { folderId: string | null }, messages = [message]) =>
        moves((own) => own.begin(ME, from, { uidValidity: 7, messages }, to));
      const { uid, ...fingerprint } = message;
      const from = { folderId: "a", uidValidity: 7, uid };
      expect(yield* begin(FROM)).toEqual([[{ ...fingerprint, toFolderId: "b", lowestUid: 1, begunAt: NOW, from }]]);
      expect(yield* begin({ ...FROM, folderId: null })).toEqual([]);
      expect(yield* begin(FROM, [])).toEqual([]);
    }),
  );
});
