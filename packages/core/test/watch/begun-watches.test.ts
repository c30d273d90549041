import { it } from "@effect/vitest";
import { Effect, Layer, Option } from "effect";
import { TestClock } from "effect/testing";
import { describe, expect } from "vitest";
import { AccountId, type IdScope } from "../../src/shared/index.ts";
import { IdScopes } from "../../src/shared/neighbours.ts";
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

/** The generation of the message ids, and the stored cursor of INBOX; null if INBOX was never followed. */
interface Stored {
  generation: string;
  uidNext: number | null;
}

/**
 * Watches of accounts that are not watched, unless another request has added the watch meanwhile. `meanwhile` changes
 * what is stored while INBOX is read for the first time.
 */
const world = ({ isAdded = true, uidValidity = 7, meanwhile = (() => undefined) as (stored: Stored) => void } = {}) => {
  const did: Array<unknown> = [];
  const stored: Stored = { generation: "a", uidNext: 5 };
  let reads = 0;
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
        find: () =>
          Effect.sync(() =>
            stored.uidNext === null
              ? Option.none()
              : Option.some({ cursor: { uidValidity: 7, uidNext: stored.uidNext, highestModSeq: null }, seenFrom: 1 }),
          ),
        moveTo: (_, key, { uidNext }) => note(`move ${key} ${uidNext}`),
        backfill: (_, key) => note(`record ${key}`),
        listExpected: () => Effect.succeed([]),
      }),
      Layer.mock(InboxWatch, {
        readPresent: () =>
          Effect.sync(() => {
            reads++;
            if (reads === 1) meanwhile(stored);
            return {
              cursor: { uidValidity: 7, uidNext: 10 * reads, highestModSeq: null },
              newest: { uidValidity, from: 4, messages: [] },
            };
          }),
      }),
      Layer.mock(MessageFingerprints, {}),
      Layer.mock(MovedMessages, {
        begin: (_, moves) => note(moves),
      }),
      Layer.succeed(IdScopes, { of: (account) => Effect.sync(() => `${account} ${stored.generation}` as IdScope) }),
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
      expect(yield* world()(begin)).toEqual(["add 100000", "move inbox 10", "record inbox"]);
      expect(yield* world({ uidValidity: 8 })(begin)).toEqual(["add 100000", "move inbox 10"]);
    }),
  );
});

describe("a watch that begins while INBOX changes hands", () => {
  const begin = Effect.flatMap(WatchStarter, (starter) => starter.begin(ME));
  const last = (meanwhile: (stored: Stored) => void) => Effect.map(world({ meanwhile })(begin), (did) => did.slice(-2));
  const READ_AGAIN = ["move inbox 20", "record inbox"];

  it.effect("reads INBOX again if the account moved to other servers", () =>
    Effect.gen(function* () {
      expect(yield* last((stored) => void (stored.generation = "b"))).toEqual(READ_AGAIN);
    }),
  );

  it.effect("reads INBOX again if another watch moved its cursor, or the account was removed", () =>
    Effect.gen(function* () {
      expect(yield* last((stored) => void (stored.uidNext = 12))).toEqual(READ_AGAIN);
      expect(yield* last((stored) => void (stored.uidNext = null))).toEqual(READ_AGAIN);
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
