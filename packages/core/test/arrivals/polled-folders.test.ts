import { it } from "@effect/vitest";
import { Effect, Layer, Option } from "effect";
import { describe, expect } from "vitest";
import { takeOldest } from "../../src/arrivals/catch-up.ts";
import { isNews, type PolledSync, pollIfOpen, renumberedMoves } from "../../src/arrivals/poll-folder.ts";
import { MailServerError } from "../../src/mail/index.ts";
import { type ArrivedMessage, FollowedMailboxes } from "../../src/watch/index.ts";
import { isSameState, type MailboxChange, type MailboxSync, type WatchedMailbox } from "../../src/watch/neighbours.ts";
import { cursorAt, inboxOf, ME, message, QUIET, seenOf } from "./inbox-in-memory.ts";

const FOLDER = { id: "f_a", key: "a", path: "A" };
const INBOX = { id: "inbox", key: "inbox", path: "INBOX" };
const known = (cursor = cursorAt(10, 7, 5), seenFrom = 1) => Option.some({ cursor, seenFrom });
const sync = (fields: Partial<MailboxSync<ArrivedMessage>> = {}): MailboxSync<ArrivedMessage> => ({
  cursor: cursorAt(10, 7, 5),
  seenFrom: 1,
  changes: [],
  reset: false,
  remember: [],
  forget: [],
  ...fields,
});

describe("the state of a followed folder", () => {
  it("is the same if its cursor and the recorded messages are", () => {
    expect(isSameState(Option.none(), Option.none())).toBe(true);
    expect(isSameState(known(), known())).toBe(true);
    for (const other of [
      Option.none(),
      known(cursorAt(11, 7, 5)),
      known(cursorAt(10, 8, 5)),
      known(cursorAt(10, 7, 6)),
      known(cursorAt(10, 7, 5), 2),
    ]) {
      expect([isSameState(known(), other), isSameState(other, known())]).toEqual([false, false]);
    }
  });

  it("has to be saved after a change of the cursor or of what is recorded", () => {
    const seen = seenOf(message(3));
    expect(isNews(known(), sync())).toBe(false);
    expect(isNews(known(cursorAt(10, 7, 5), 9), sync())).toBe(false);
    for (const news of [
      { reset: true },
      { remember: [seen] },
      { forget: [3] },
      { remember: [seen], forget: [3] },
      { cursor: cursorAt(11, 7, 5) },
      { cursor: cursorAt(10, 8, 5) },
      { cursor: cursorAt(10, 7, 6) },
    ]) {
      expect(isNews(known(), sync(news))).toBe(true);
    }
    expect(isNews(Option.none(), sync())).toBe(true);
  });

  it("with a new UIDVALIDITY gives the new locations of its messages, 1,000 at a time", () => {
    const moves = (count: number, state = known()) =>
      renumberedMoves({
        folder: FOLDER,
        known: state,
        observed: {
          ...QUIET,
          cursor: cursorAt(1, 8),
          renumbered: Array.from({ length: count }, (_, n) => ({ from: n + 1, now: n + 5 })),
        },
        hasMore: false,
      });
    expect(moves(1)).toEqual([
      [{ from: { folderId: "a", uidValidity: 7, uid: 1 }, now: { folderId: "a", uidValidity: 8, uid: 5 } }],
    ]);
    expect(moves(1_001).map(({ length }) => length)).toEqual([1_000, 1]);
    expect(moves(1_000)).toHaveLength(1);
    expect(moves(0)).toEqual([]);
    expect(moves(1, Option.none())).toEqual([]);
    const unnumbered = { folder: FOLDER, known: known(), observed: QUIET, hasMore: false };
    expect(renumberedMoves(unnumbered)).toEqual([]);
  });
});

describe("a poll of a folder", () => {
  const poll = (folder: typeof FOLDER, reason: MailServerError["reason"] | null) => {
    const mailbox: WatchedMailbox = {
      ...inboxOf([{ ...QUIET, more: true }]),
      ...(reason === null
        ? {}
        : { poll: () => Effect.fail(new MailServerError({ reason, operation: "select", detail: "" })) }),
    };
    return Effect.gen(function* () {
      const found = yield* pollIfOpen(yield* FollowedMailboxes, ME, { folder, mailbox });
      return Option.match(found, { onNone: () => "closed", onSome: ({ hasMore }) => `more: ${hasMore}` });
    }).pipe(
      Effect.catch((error) => Effect.succeed("reason" in error ? error.reason : error._tag)),
      Effect.provide(Layer.mock(FollowedMailboxes, { find: () => Effect.succeed(known()) })),
    );
  };

  it.effect("is left out if the server does not open the folder, but not if it is INBOX or the server is down", () =>
    Effect.gen(function* () {
      expect(yield* poll(FOLDER, null)).toBe("more: true");
      expect(yield* poll(FOLDER, "protocol")).toBe("closed");
      expect(yield* poll(FOLDER, "not_permitted")).toBe("closed");
      expect(yield* poll(FOLDER, "timeout")).toBe("timeout");
      expect(yield* poll(INBOX, "protocol")).toBe("protocol");
      expect(yield* poll(INBOX, "not_permitted")).toBe("not_permitted");
    }),
  );
});

describe("arrivals after an outage", () => {
  const flags: MailboxChange<ArrivedMessage> = { _tag: "FlagsChanged", message: message(3), changed: ["flagged"] };
  const arrived = [11, 12].map((uid): MailboxChange<ArrivedMessage> => ({ _tag: "Received", message: message(uid) }));
  const folder: PolledSync = {
    id: "a",
    folderId: "a",
    before: cursorAt(10, 7, 5),
    known: Option.none(),
    sync: sync({
      cursor: cursorAt(13, 7, 9),
      changes: [...arrived, flags],
      remember: [message(3), message(11), message(12)].map(seenOf),
    }),
  };

  it("that are left keep the cursor below them, and other changes are announced", () => {
    const { synced, left } = takeOldest([folder], new Set(), 1);
    expect([...left]).toEqual(["a"]);
    expect(synced[0]!.sync).toMatchObject({
      cursor: cursorAt(12, 7, 5),
      changes: [{ ...arrived[0], isBackfill: true }, flags],
      remember: [3, 11].map((uid) => seenOf(message(uid))),
    });
  });

  it("that are all taken move the cursor", () => {
    for (const limit of [2, 3]) {
      const { synced, left } = takeOldest([folder], new Set(), limit);
      expect([left.size, synced[0]!.sync.cursor, synced[0]!.sync.remember.length]).toEqual([0, cursorAt(13, 7, 9), 3]);
    }
    expect(takeOldest([folder], new Set(["a"]), 9).left.size).toBe(0);
    expect(takeOldest([folder], new Set(), 0).synced[0]!.sync.changes).toEqual([flags]);
  });
});
