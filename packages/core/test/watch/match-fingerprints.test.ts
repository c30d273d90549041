import { describe, expect, it } from "vitest";
import {
  isAlike,
  matchFingerprints,
  pairFingerprints,
  pairMoves,
  pairRenumbered,
} from "../../src/watch/match-fingerprints.ts";
import type { SeenMessage } from "../../src/watch/SeenMessage.ts";

const message = (uid: number, over: Partial<SeenMessage> = {}): SeenMessage => ({
  uid,
  emailId: null,
  messageId: "<a@x>",
  size: 100,
  arrivedAt: 1,
  unread: true,
  flagged: false,
  answered: false,
  labels: [],
  ...over,
});
const uids = (pairs: ReadonlyMap<SeenMessage, SeenMessage>) =>
  [...pairs].map(([present, seen]) => [present.uid, seen.uid]);

describe("two messages are alike", () => {
  const nameless = { messageId: null };
  it.each<[string, Partial<SeenMessage>, Partial<SeenMessage>, boolean]>([
    ["with one EMAILID", { emailId: "M1" }, { emailId: "M1", messageId: "<b@x>", size: 1 }, true],
    ["but not with two EMAILIDs", { emailId: "M1" }, { emailId: "M2" }, false],
    ["with one Message-ID and size, if one has no EMAILID", { emailId: "M1" }, { arrivedAt: 2 }, true],
    ["with one Message-ID and size, if the other has no EMAILID", { arrivedAt: 2 }, { emailId: "M1" }, true],
    ["but not with two Message-IDs", {}, { messageId: "<b@x>" }, false],
    ["but not with two sizes", {}, { size: 101 }, false],
    ["without Message-ID at one time", nameless, nameless, true],
    ["but not without Message-ID at two times", nameless, { ...nameless, arrivedAt: 2 }, false],
  ])("%s", (_, one, other, expected) => {
    expect(isAlike(message(1, one), message(2, other))).toBe(expected);
    expect(isAlike(message(2, other), message(1, one))).toBe(expected);
  });
});

describe("equal messages", () => {
  const flags = [{ flagged: true }, { unread: false }, { answered: true }];

  it.each(flags)("that moved are paired with those of equal flags first: %j", (flag) => {
    const left = [message(1, flag), message(2)];
    expect(uids(pairMoves([message(11, flag), message(12)], left))).toEqual([
      [11, 1],
      [12, 2],
    ]);
    expect(uids(pairRenumbered([message(11, flag), message(12)], left))).toEqual([
      [11, 1],
      [12, 2],
    ]);
  });

  it("are paired once each, the last that were seen first", () => {
    const seen = [message(1), message(2), message(3)];
    const present = [message(11), message(12), message(13), message(14)];
    const expected = [
      [11, 3],
      [12, 2],
      [13, 1],
    ];
    expect(uids(pairFingerprints(present, seen))).toEqual(expected);
    expect(uids(pairMoves(present, seen))).toEqual(expected);
    expect(matchFingerprints(present, seen)).toEqual({ unseen: [present[3]], missing: [] });
  });

  it("are paired at one time first, and then at any time", () => {
    const seen = [message(1), message(2, { arrivedAt: 2 })];
    const present = [message(11), message(12, { arrivedAt: 3 })];
    const expected = [
      [11, 1],
      [12, 2],
    ];
    expect(uids(pairFingerprints(present, seen))).toEqual(expected);
    expect(uids(pairMoves(present, seen))).toEqual(expected);
    expect(matchFingerprints(present, seen)).toEqual({ unseen: [], missing: [] });
  });

  it("without Message-ID are paired at any time only where one mailbox is compared with itself", () => {
    const seen = [message(1, { messageId: null })];
    const present = [message(11, { messageId: null, arrivedAt: 2 })];
    expect(uids(pairFingerprints(present, seen))).toEqual([[11, 1]]);
    expect(uids(pairRenumbered(present, seen))).toEqual([[11, 1]]);
    expect(uids(pairMoves(present, seen))).toEqual([]);
    expect(matchFingerprints(present, seen)).toEqual({ unseen: present, missing: seen });
  });

  it("of which the last has another EMAILID leave that one for another message", () => {
    const seen = [message(1), message(2, { emailId: "M2" })];
    expect(uids(pairFingerprints([message(11, { emailId: "M1" }), message(12)], seen))).toEqual([
      [11, 1],
      [12, 2],
    ]);
  });

  it("with two EMAILIDs are not paired, and with one EMAILID before others", () => {
    const seen = [message(1, { emailId: "M1" }), message(2, { emailId: "M2" }), message(3)];
    const present = [message(11, { emailId: "M3" }), message(12, { emailId: "M1", messageId: "<b@x>" })];
    expect(uids(pairMoves(present, seen))).toEqual([
      [12, 1],
      [11, 3],
    ]);
    expect(matchFingerprints([present[0]!], [seen[0]!])).toEqual({ unseen: [present[0]], missing: [seen[0]] });
  });
});
