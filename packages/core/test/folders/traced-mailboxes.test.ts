import { describe, expect, it } from "vitest";
import type { FolderRecord } from "../../src/folders/index.ts";
import { traceMailboxes } from "../../src/folders/trace-mailboxes.ts";
import type { ListedMailbox } from "../../src/mail/index.ts";
import { listedAt } from "./listed.ts";

const record = (id: string, path: string, fields: Partial<FolderRecord> = {}): FolderRecord => ({
  id,
  key: id,
  path,
  mailboxId: null,
  uidValidity: 7,
  uidNext: 5,
  createdAt: 0,
  ...fields,
});
const box = (path: string, uidValidity: number, uidNext = 5, more: Partial<ListedMailbox> = {}) =>
  listedAt(path, { status: { uidValidity, uidNext }, ...more });
const withId = (path: string, mailboxId: string, uidValidity = 7) =>
  listedAt(path, { status: { uidValidity, uidNext: 5, mailboxId } });
const traced = (known: ReadonlyArray<FolderRecord>, ...listed: ReadonlyArray<ListedMailbox>) =>
  Object.fromEntries([...traceMailboxes(known, listed)].map(([path, { id }]) => [path, id]));

describe("a listed mailbox is the same as before", () => {
  it("if it is the INBOX, whatever else looks like it", () => {
    const known = [record("inbox", "INBOX")];
    expect(traced(known, box("INBOX", 9, 1, { role: "inbox" }), box("X", 7))).toEqual({ INBOX: "inbox" });
    expect(traced(known, box("X", 7))).toEqual({ X: "inbox" });
    expect(traced([], box("INBOX", 9, 1, { role: "inbox" }))).toEqual({});
  });

  it("if it has the MAILBOXID of a record, and not by its path with another one", () => {
    const known = [record("a", "A", { mailboxId: "m1" }), record("b", "B", { mailboxId: "m2" })];
    expect(traced(known, withId("B", "m1", 8), withId("A", "m2", 9))).toEqual({ B: "a", A: "b" });
    expect(traced(known, withId("A", "m3"))).toEqual({});
    expect(traced(known, box("A", 7))).toEqual({ A: "a" });
    expect(traced([record("a", "A")], withId("A", "m3"))).toEqual({ A: "a" });
    // Of two mailboxes with one id, the first is the same.
    expect(traced([known[0]!], withId("X", "m1"), withId("Y", "m1"))).toEqual({ X: "a" });
  });

  it("if it has the path and the UIDVALIDITY of a record, or none as before", () => {
    const known = [record("a", "A"), record("n", "N", { uidValidity: null })];
    expect(traced(known, box("A", 7, 1), listedAt("N", { status: null }))).toEqual({ A: "a", N: "n" });
    expect(traced(known, listedAt("A", { status: null }), box("N", 7, 1))).toEqual({});
    expect(traced(known, listedAt("A", { status: null, isClosed: true }))).toEqual({ A: "a" });
  });

  it("if it alone appeared with the UIDVALIDITY and at least the UIDNEXT of a record that alone is missing", () => {
    const known = [record("a", "A")];
    expect(traced(known, box("Z", 7, 5))).toEqual({ Z: "a" });
    expect(traced(known, box("Z", 7, 4))).toEqual({});
    expect(traced(known, box("Z", 8, 5))).toEqual({});
    expect(traced(known, listedAt("Z", { status: null }))).toEqual({});
    expect(traced(known, listedAt("Z", { status: { uidValidity: 7, uidNext: null as never } }))).toEqual({});
    expect(traced([record("a", "A", { uidNext: null })], box("Z", 7))).toEqual({});
    expect(traced([record("a", "A", { mailboxId: "m1" })], box("Z", 7))).toEqual({});
    expect(traced(known, box("Y", 7), box("Z", 7))).toEqual({});
    expect(traced([...known, record("b", "B")], box("Z", 7))).toEqual({});
    expect(traced([...known, record("b", "B", { uidValidity: 8 })], box("Y", 8), box("Z", 7))).toEqual({
      Y: "b",
      Z: "a",
    });
  });

  it("if two mailboxes changed their paths, but not if only the UIDVALIDITY looks so", () => {
    const known = [record("a", "A"), record("b", "B", { uidValidity: 8 })];
    expect(traced(known, box("B", 7), box("A", 8))).toEqual({ B: "a", A: "b" });
    // B has the UIDVALIDITY of A, and A a new one: A may have been given a new one, as B may.
    expect(traced(known, box("B", 7), box("A", 9))).toEqual({});
    expect(traced(known, box("B", 7))).toEqual({ B: "a" });
  });

  it("if only the UIDVALIDITY at its path changed", () => {
    const known = [record("a", "A")];
    expect(traced(known, box("A", 9, 1))).toEqual({ A: "a" });
    // The mailbox could have been renamed to one of two others.
    expect(traced(known, box("A", 9, 1), box("Y", 7), box("Z", 7))).toEqual({});
    expect(traced([record("a", "A", { mailboxId: "m1" })], withId("A", "m2", 9))).toEqual({});
    expect(traced([record("a", "A", { mailboxId: "m1" })], box("A", 9, 1))).toEqual({ A: "a" });
    expect(traced([record("a", "A")], withId("A", "m2", 9))).toEqual({ A: "a" });
    expect(traced([record("a", "A", { uidValidity: null })], box("A", 9))).toEqual({});
    // Two others that are missing could each have been renamed to it.
    const missing = [record("b", "B", { uidValidity: 9 }), record("c", "C", { uidValidity: 9 })];
    expect(traced([...known, ...missing], box("A", 9))).toEqual({});
  });
});
