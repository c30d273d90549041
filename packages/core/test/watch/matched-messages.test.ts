import { it } from "@effect/vitest";
import { Effect } from "effect";
import { describe, expect } from "vitest";
import { changedFlags, flagsOf, sameFlags } from "../../src/watch/changed-flags.ts";
import { followMoves } from "../../src/watch/follow-moves.ts";
import { byMailbox, locationKey, readLocations } from "../../src/watch/left-locations.ts";
import { matchFingerprints, pairFingerprints, pairMoves, pairRenumbered } from "../../src/watch/match-fingerprints.ts";
import type { LeftLocation, MovedMessages } from "../../src/watch/ports/MovedMessages.ts";
import type { SeenMessage } from "../../src/watch/index.ts";
import { AccountId } from "../../src/shared/index.ts";

const seen = (uid: number, fields: Partial<SeenMessage> = {}): SeenMessage => ({
  uid,
  emailId: null,
  messageId: "<a@x>",
  size: 5,
  arrivedAt: 1,
  unread: true,
  flagged: false,
  answered: false,
  labels: [],
  ...fields,
});
const uidsOf = (pairs: ReadonlyMap<SeenMessage, SeenMessage>) =>
  Object.fromEntries([...pairs].map(([one, other]) => [one.uid, other.uid]));

describe("two messages", () => {
  it("of which one was seen before are paired by EMAILID, by content and date, and then by Message-ID", () => {
    const before = [seen(11, { arrivedAt: 2 }), seen(12), seen(13, { emailId: "e", size: 9 })];
    const now = [seen(1), seen(2, { arrivedAt: 7 }), seen(3, { emailId: "e" }), seen(4, { size: 8 })];
    const { unseen, missing } = matchFingerprints(now, [...before, seen(14, { size: 7 })]);
    expect([unseen.map(({ uid }) => uid), missing.map(({ uid }) => uid)]).toEqual([[4], [14]]);
    expect(uidsOf(pairFingerprints(now, before))).toEqual({ 1: 12, 2: 11, 3: 13 });
  });

  it("without a Message-ID and with two dates are paired only after a new UIDVALIDITY and in a look for moves", () => {
    const [now, before] = [[seen(1, { messageId: null })], [seen(2, { messageId: null, arrivedAt: 9 })]];
    expect(matchFingerprints(now, before).unseen).toEqual(now);
    expect(uidsOf(pairMoves(now, before))).toEqual({});
    expect(uidsOf(pairFingerprints(now, before))).toEqual({ 1: 2 });
    expect(uidsOf(pairRenumbered(now, before))).toEqual({ 1: 2 });
  });

  it("that are equal are paired by their flags first, and else the last one first", () => {
    for (const flags of [{ unread: false }, { flagged: true }, { answered: true }]) {
      const now = [seen(1), seen(2, flags)];
      expect(uidsOf(pairMoves(now, [seen(11, flags), seen(12)]))).toEqual({ 1: 12, 2: 11 });
      expect(uidsOf(pairRenumbered(now, [seen(11, flags), seen(12)]))).toEqual({ 1: 12, 2: 11 });
      expect(uidsOf(pairMoves([seen(1)], [seen(11, flags)]))).toEqual({ 1: 11 });
    }
    expect(uidsOf(pairFingerprints([seen(1), seen(2)], [seen(11), seen(12)]))).toEqual({ 1: 12, 2: 11 });
  });

  it("with different EMAILIDs are never paired", () => {
    const now = [seen(1, { emailId: "e" })];
    expect(uidsOf(pairFingerprints(now, [seen(11), seen(12, { emailId: "f" })]))).toEqual({ 1: 11 });
    expect(uidsOf(pairFingerprints(now, [seen(12, { emailId: "f" })]))).toEqual({});
  });
});

describe("flags", () => {
  const flags = flagsOf(seen(1, { labels: ["a"] }));

  it("are equal if all of them are", () => {
    expect(flags).toEqual({ unread: true, flagged: false, answered: false, labels: ["a"] });
    expect(sameFlags(flags, { ...flags, labels: ["a"] })).toBe(true);
    expect(sameFlags({ ...flags, labels: null }, { ...flags, labels: null })).toBe(true);
    for (const change of [
      { unread: false },
      { flagged: true },
      { answered: true },
      { labels: ["b"] },
      { labels: [] },
      { labels: null },
    ]) {
      expect(sameFlags(flags, { ...flags, ...change })).toBe(false);
      expect(sameFlags({ ...flags, ...change }, flags)).toBe(false);
    }
  });

  it("that changed are named, with labels that came before those that left", () => {
    expect(changedFlags(flags, flags)).toEqual([]);
    expect(changedFlags(flags, { unread: false, flagged: true, answered: true, labels: ["A", "new"] })).toEqual([
      "unread",
      "flagged",
      "answered",
      "label:new",
    ]);
    expect(changedFlags(flags, { ...flags, labels: ["b"] })).toEqual(["label:b", "label:a"]);
    expect(changedFlags(flags, { ...flags, labels: null })).toEqual([]);
    expect(changedFlags({ ...flags, labels: null }, flags)).toEqual([]);
  });
});

const at = (folderId: string, uid: number, uidValidity = 1) => ({ folderId, uidValidity, uid });

describe("locations that messages left", () => {
  it("lead to the present location, from each that the message had", () => {
    const left: LeftLocation = { from: at("a", 1), now: at("b", 2), id: at("c", 3) };
    const locate = readLocations([left]);
    expect(locate(at("a", 1))).toMatchObject({ now: at("b", 2), id: at("c", 3) });
    expect(locate(at("b", 2))).toEqual({ now: at("b", 2), id: at("c", 3) });
    for (const other of [at("a", 2), at("a", 1, 2), at("d", 1)])
      expect(locate(other)).toEqual({ now: other, id: other });
  });

  it("are grouped by mailbox and UIDVALIDITY, each UID once", () => {
    expect(byMailbox([at("a", 1), at("b", 2), at("a", 3), at("a", 1), at("a", 4, 2)])).toEqual([
      { folderId: "a", uidValidity: 1, uids: [1, 3] },
      { folderId: "b", uidValidity: 1, uids: [2] },
      { folderId: "a", uidValidity: 2, uids: [4] },
    ]);
    expect(new Set([at("a", 1), at("b", 1), at("a", 2), at("a", 1, 2)].map(locationKey)).size).toBe(4);
  });

  it.effect("are followed for as many steps as allowed, and no further than to the last move", () =>
    Effect.gen(function* () {
      const moves = [0, 1, 2].map((n) => ({ from: at("a", n), now: at("a", n + 1), id: at("a", n + 1) }));
      let asked = 0;
      const moved = {
        find: () => Effect.sync(() => (asked++, { left: moves, isMoving: true })),
      } as unknown as MovedMessages["Service"];
      const follow = (steps: number) => followMoves(moved, AccountId("me@x.test"), [at("a", 0), undefined], steps);
      const [one, all] = [yield* follow(1), yield* follow(9)];
      expect([one.isMoving, one.found.map((found) => found?.now.uid)]).toEqual([true, [1, undefined]]);
      expect(all.found.map((found) => found?.now.uid)).toEqual([3, undefined]);
      expect(asked).toBe(5);
    }),
  );
});
