import { describe, expect, it } from "vitest";
import { KeptPages, type KeptPage } from "../../src/messages/KeptPages.ts";
import { summaryWith } from "./summary.ts";

const page = (messages: number, subject = "", confirmedAt = 0): KeptPage => ({
  page: {
    folder: { id: "f", key: "f", path: "INBOX", uidValidity: 1 },
    page: 1,
    limit: 50,
    total: messages,
    unread: 0,
    pages: 1,
    nextCursor: null,
    emails: Array.from({ length: messages }, (_, n) => ({ id: `m${n}`, message: summaryWith({ uid: n, subject }) })),
  },
  state: { uidValidity: 1, uidNext: 2, total: messages, unread: 0, highestModSeq: 1n },
  confirmedAt,
  quiet: undefined,
});
/** A cache with room for this many empty pages. */
const cache = (pages: number) => new KeptPages(pages * 1_200);
const keysOf = (kept: KeptPages, ...keys: ReadonlyArray<string>) => keys.filter((key) => kept.get(key) !== undefined);

describe("kept pages", () => {
  it("take memory by their messages, texts and people", () => {
    const bytes = (one: KeptPage) => {
      const kept = cache(1_000);
      kept.set("a", one);
      return kept.bytes;
    };
    expect([bytes(page(0)), bytes(page(1)), bytes(page(2))]).toEqual([1_200, 2_400, 3_600]);
    expect(bytes(page(1, "x".repeat(10)))).toBe(2_440);
    const withPeople = (fields: Parameters<typeof summaryWith>[0]) => {
      const one = page(1);
      return { ...one, page: { ...one.page, emails: [{ id: "m", message: summaryWith(fields) }] } };
    };
    const ann = { name: "Ann", address: "ann@x" };
    expect(bytes(withPeople({ from: ann }))).toBe(2_400 + 4 * 8);
    expect(bytes(withPeople({ to: [ann], cc: [ann] }))).toBe(2_400 + 4 * 2 * 48);
    expect(bytes(withPeople({ threadId: "thread" }))).toBe(2_400 + 4 * 6);
    expect(bytes(withPeople({ attachments: [{ id: "1", name: null, type: "a/b", size: 1 }] }))).toBe(2_400 + 400);
  });

  it("are removed when there is no room, the least recently used page first", () => {
    const kept = cache(2);
    kept.set("a", page(0));
    kept.set("b", page(0));
    expect(kept.bytes).toBe(2_400);
    kept.get("a");
    kept.set("c", page(0));
    expect(keysOf(kept, "a", "b", "c")).toEqual(["a", "c"]);
    expect(kept.bytes).toBe(2_400);
  });

  it("replace the page of their key, which may be too large to be kept", () => {
    const kept = cache(3);
    kept.set("a", page(0));
    kept.set("a", page(1));
    expect(kept.bytes).toBe(2_400);
    kept.set("a", page(2));
    expect(kept.bytes).toBe(3_600);
    kept.set("b", page(3));
    expect([keysOf(kept, "a", "b"), kept.bytes]).toEqual([["a"], 3_600]);
    kept.set("a", page(3));
    expect([keysOf(kept, "a"), kept.bytes]).toEqual([[], 0]);
  });

  it("are removed after ten minutes without a confirmation", () => {
    const kept = cache(9);
    kept.set("a", page(0, "", 0));
    kept.set("b", page(0, "", 1));
    kept.set("c", page(0, "", 600_000));
    expect(keysOf(kept, "a", "b", "c")).toEqual(["b", "c"]);
    expect(kept.bytes).toBe(2_400);
    kept.clear();
    expect([keysOf(kept, "b", "c"), kept.bytes]).toEqual([[], 0]);
  });

  it("keep the size of a page that is confirmed again", () => {
    const kept = cache(9);
    const one = page(2, "subject");
    kept.set("a", one);
    const before = kept.bytes;
    kept.set("a", { ...one, confirmedAt: 5 });
    expect([kept.bytes, kept.get("a")?.confirmedAt]).toEqual([before, 5]);
  });
});
