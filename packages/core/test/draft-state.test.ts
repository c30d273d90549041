import { Option } from "effect";
import { describe, expect, it } from "vitest";
import type { Draft } from "../src/drafts/Draft.ts";
import {
  absorb,
  begin,
  compare,
  complete,
  follow,
  outgoingOf,
  checkTime,
  handOver,
  refuse,
  findUnverified,
} from "../src/drafts/draft-state.ts";
import { NEW_DRAFT } from "../src/drafts/open-draft.ts";
import { draftsJson } from "../src/drafts/stored-records.ts";
import { AccountId } from "../src/shared/index.ts";
import { draftContents } from "./draft-contents.ts";

const CONTENTS = draftContents("s", "t");

const place = (uid: number, uidValidity = 1) => ({ path: "Drafts", uidValidity, uid });

const draft: Draft = {
  ...NEW_DRAFT,
  id: "dft_1",
  account: AccountId("a@x.test"),
  savedAt: 1,
  contents: CONTENTS,
  copy: place(10),
  token: "t1",
};

const found = (...copies: ReadonlyArray<readonly [uid: number, token: string | null]>) => ({
  path: "Drafts",
  uidValidity: 1,
  isPartial: false,
  copies: copies.map(([uid, token]) => ({ uid, mark: token === null ? null : { draftId: "dft_1", token } })),
});

/** The checksums of the copies with these tokens that a save of ours stored unchanged. */
const sums = (...unchanged: ReadonlyArray<readonly [uid: number, token: string]>) =>
  new Map(unchanged.map(([uid, token]) => [uid, `sum of ${token}`]));
const NONE = sums();
const save = (token: string) => ({ token, checksum: `sum of ${token}` });

const saved = (version: number) => ({ version, contents: CONTENTS, savedAt: 2 });

describe("the copies of a draft", () => {
  it("are current while the copy of the last save is there", () => {
    expect(compare(draft, found([10, "t1"]), NONE)).toEqual({ _tag: "Current", copy: place(10), superseded: [] });
  });

  it("of an uncompleted or an earlier save are superseded, not foreign", () => {
    const known = { ...draft, pending: [save("t2")], stale: [9] };
    expect(compare(known, found([9, "t0"], [10, "t1"], [11, "t2"]), sums([11, "t2"]))).toMatchObject({
      _tag: "Current",
      superseded: [9, 11],
    });
  });

  it("are changed by a client that keeps the mark or removes the copy [S12.1-11]", () => {
    expect(compare(draft, found([10, "t1"], [12, "t1"]), NONE)).toMatchObject({
      _tag: "Changed",
      copy: place(12),
      superseded: [10],
      detached: [],
    });
    expect(compare(draft, found([12, "t1"]), NONE)).toMatchObject({ _tag: "Changed", copy: place(12) });
    expect(compare(draft, found(), NONE)).toEqual({ _tag: "Gone" });
  });

  it("stay where another client changed an earlier version [S12.1-12]", () => {
    const changed = compare(draft, found([10, "t1"], [12, "t0"]), NONE);
    expect(changed).toMatchObject({ _tag: "Changed", copy: place(12), superseded: [], detached: [10] });
    if (changed._tag !== "Changed") return;
    const [, after] = absorb(draft, draft, saved(2), changed);
    expect(compare(after, found([10, "t1"], [12, "t0"]), NONE)).toMatchObject({
      _tag: "Current",
      copy: place(12),
      superseded: [],
    });
  });

  it("are recognised by their token after the folder was recreated", () => {
    expect(compare({ ...draft, copy: place(10, 7) }, found([3, "t1"]), NONE)).toMatchObject({
      _tag: "Current",
      copy: place(3),
    });
  });
});

describe("the copy of an uncompleted save", () => {
  const [, saving] = begin(draft, 1, save("t2"));

  it("with other bytes is another client's version, and leaves the current version as a separate draft [S12.1-14]", () => {
    const both = found([10, "t1"], [12, "t2"]);
    expect(findUnverified(saving, both)).toEqual([12]);
    expect(compare(saving, both, new Map([[12, "another sum"]]))).toMatchObject({
      _tag: "Changed",
      copy: place(12),
      superseded: [],
      detached: [10],
    });
  });

  it("is the draft if it is the first copy, and another client's version of it is a change", () => {
    const first = { ...draft, copy: null, pending: [save("t1")] };
    expect(compare(first, found([3, "t1"]), sums([3, "t1"]))).toMatchObject({ _tag: "Current", copy: place(3) });
    expect(compare(first, found([3, "t1"], [4, "t1"]), sums([3, "t1"]))).toMatchObject({
      _tag: "Changed",
      copy: place(4),
      superseded: [3],
    });
  });
});

describe("the stored draft", () => {
  it("is read with its uncompleted saves, also where they have no checksums yet", () => {
    const saving = { ...draft, pending: [save("t2")] };
    expect(draftsJson.draft.read(draftsJson.draft.write(saving))).toEqual(Option.some(saving));
    const earlier = JSON.stringify({ ...draft, pending: ["t2"] });
    expect(draftsJson.draft.read(earlier)).toEqual(Option.some({ ...draft, pending: [{ token: "t2", checksum: "" }] }));
  });
});

describe("two saves of one version", () => {
  it("complete once, and the copy of the other save is superseded [S12.1-15]", () => {
    const [, one] = begin(draft, 1, save("t2"));
    const [isBegun, both] = begin(one, 1, save("t3"));
    expect(isBegun).toBe(true);
    const [isFirst, first] = complete(both, draft, saved(2), place(11), "t2", [10]);
    const [isSecond, second] = complete(first, draft, saved(2), place(12), "t3", [10]);
    expect([isFirst, isSecond]).toEqual([true, false]);
    const [isRemoved, refused] = refuse(second, place(12), "t3");
    expect([isRemoved, refused]).toMatchObject([true, { version: 2, copy: place(11), token: "t2", pending: [] }]);
    // As long as it could not be removed.
    expect(compare(refused, found([11, "t2"], [12, "t3"]), NONE)).toEqual({
      _tag: "Current",
      copy: place(11),
      superseded: [12],
    });
    // Another client read it before.
    expect(compare(refused, found([11, "t2"], [13, "t3"]), NONE)).toMatchObject({ _tag: "Changed", copy: place(13) });
  });

  it("keep the copy of the refused one known over changes that were decided before", () => {
    const [, refused] = refuse(draft, place(12), "t3");
    const [, next] = complete(refused, draft, saved(2), place(13), "t4", [10]);
    expect(next.stale).toEqual([10, 12]);
  });
});

describe("a look at a draft", () => {
  it("does not take the copy of a save that began meanwhile for another client's", () => {
    const [, saving] = begin(draft, 1, save("t2"));
    const both = found([10, "t1"], [11, "t2"]);
    const changed = compare(draft, both, NONE);
    if (changed._tag !== "Changed") throw new Error("the second copy was not found");
    expect(absorb(saving, draft, saved(2), changed)).toEqual([false, saving]);
    // At the next look it is known as ours.
    expect(compare(saving, both, sums([11, "t2"]))).toMatchObject({ _tag: "Current", copy: place(10) });
  });

  it("keeps a copy of ours that it took for another client's because the server had changed it", () => {
    const [, saving] = begin(draft, 1, save("t2"));
    const changed = compare(saving, found([10, "t1"], [11, "t2"]), NONE);
    if (changed._tag !== "Changed") throw new Error("the second copy was not found");
    const [, taken] = absorb(saving, saving, saved(2), changed);
    expect(refuse(taken, place(11), "t2")).toEqual([false, taken]);
  });
});

describe("sending a draft", () => {
  const [, sending] = handOver(draft, 1, "out_1", 6_000);

  it("hands over each version once [S12.1-22]", () => {
    expect(sending).toMatchObject({ state: "sending", outgoing: { id: "out_1", version: 1 }, checkAt: 6_000 });
    expect(handOver(sending, 1, "out_2", 6_000)[0]).toBe(false);
    expect(begin(sending, 1, save("t2"))[0]).toBe(false);
  });

  it("hands over no version that may have been sent, however late a request comes [S12.1-24]", () => {
    const unknown = { ...sending, state: "draft" as const, outgoing: { id: "out_1", version: 1, mayBeSent: true } };
    expect(handOver(unknown, 1, "out_2", 9_000)).toEqual([false, unknown]);
    expect(outgoingOf(unknown)?.id).toBe("out_1");
    expect(handOver({ ...unknown, version: 2 }, 2, "out_2", 9_000)[0]).toBe(true);
  });

  it("is checked just after the message is due, and every hour before, because the message may be cancelled [S12.1-23]", () => {
    const hour = 3_600_000;
    expect(checkTime(5_000, 9_000)).toBe(10_000);
    expect(checkTime(9_000 + hour - 1_001, 9_000)).toBe(9_000 + hour - 1);
    expect(checkTime(9_000 + 40 * hour, 9_000)).toBe(9_000 + hour);
  });

  it("ends once the journal forgot the message", () => {
    expect(follow(sending, null, 9_000)).toMatchObject({ state: "sent", checkAt: 9_000 });
  });
});
