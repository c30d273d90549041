import type { ListedMailbox } from "../src/mail/index.ts";
import type { FolderRecord } from "../src/folders/index.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { folderChanges } from "../src/folders/folder-changes.ts";
import { reconcile as reconcileAt, sameFolders } from "../src/folders/reconcile.ts";

const mint = (identity: string) => `f_${identity}`;
const reconcile = (
  known: ReadonlyArray<FolderRecord>,
  found: ReadonlyArray<ListedMailbox>,
  named: typeof mint,
  now = 1_000,
) => reconcileAt(known, found, named, now);
const listed = (path: string, uidValidity: number, uidNext = 1, mailboxId: string | null = null): ListedMailbox => ({
  path,
  prefix: "",
  delimiter: "/",
  role: null,
  status: { total: 0, unread: 0, uidValidity, uidNext, mailboxId },
});
const inbox: ListedMailbox = { ...listed("INBOX", 1), role: "inbox" };
const idsByPath = (records: ReadonlyArray<FolderRecord>) =>
  Object.fromEntries(records.map(({ path, id }) => [path, id]));

describe("reconcile", () => {
  it("keeps the record of a mailbox whose status the server refuses, until the server reports another [S4.2-5]", () => {
    const before = reconcile([], [inbox, listed("A", 2, 5)], mint, 5);
    const closed = { ...listed("A", 2), status: null, isClosed: true } as const;
    expect(reconcile(before, [inbox, closed], mint, 9)).toEqual(before);
    const renamed = reconcile(before, [inbox, listed("Z", 2, 7)], mint);
    expect(renamed.map(({ id, path }) => [id, path])).toEqual([
      ["inbox", "INBOX"],
      ["f_2/A", "Z"],
    ]);
    expect(reconcile(before, [inbox, { ...closed, isClosed: undefined as never }], mint).map(({ id }) => id)).toEqual([
      "inbox",
      "f_/A",
    ]);
  });

  it("gives special folders their role as id, and others a lasting id [S4.2-1]", () => {
    const first = reconcile([], [inbox, listed("A", 2)], mint);
    expect(idsByPath(first)).toEqual({ INBOX: "inbox", A: "f_2/A" });
    expect(reconcile(first, [inbox, listed("A", 2, 9)], mint).map(({ id }) => id)).toEqual(["inbox", "f_2/A"]);
  });

  it("keeps the time a folder was first listed through renames", () => {
    const before = reconcile([], [listed("A", 2)], mint, 5);
    const after = reconcile(before, [listed("Z", 2), listed("B", 3)], mint, 9);
    expect(after.map(({ path, createdAt }) => [path, createdAt])).toEqual([
      ["Z", 5],
      ["B", 9],
    ]);
  });

  it("follows a rename when exactly one path vanished and one appeared with its UIDVALIDITY [S4.2-3]", () => {
    const before = reconcile([], [listed("A", 2, 5), listed("B", 3)], mint);
    const after = reconcile(before, [listed("Z", 2, 7), listed("B", 3)], mint);
    expect(idsByPath(after)).toEqual({ Z: "f_2/A", B: "f_3/B" });
  });

  it("treats a mailbox at another path as new if its UIDNEXT decreased or its UIDVALIDITY differs [S4.2-3]", () => {
    const before = reconcile([], [listed("A", 2, 5)], mint);
    expect(idsByPath(reconcile(before, [listed("Z", 2, 4)], mint))).toEqual({ Z: "f_2/Z" });
    expect(idsByPath(reconcile(before, [listed("Z", 8, 5)], mint))).toEqual({ Z: "f_8/Z" });
  });

  it("keeps the id of a mailbox whose UIDVALIDITY changed, unless a rename could explain it [S4.2-4]", () => {
    const before = reconcile([], [listed("A", 2, 5), listed("B", 3, 5)], mint);
    const after = reconcile(before, [listed("A", 8, 1), listed("B", 9, 1)], mint);
    expect(idsByPath(after)).toEqual({ A: "f_2/A", B: "f_3/B" });
    expect(after.map(({ uidValidity }) => uidValidity)).toEqual([8, 9]);
    expect(folderChanges(before, after, "/")).toEqual([]);
    // B was renamed to Z, or created there with a lower UIDNEXT.
    const unclear = reconcile(before, [listed("A", 2, 5), listed("B", 9, 1), listed("Z", 3, 1)], mint);
    expect(idsByPath(unclear)).toEqual({ A: "f_2/A", B: "f_3/B", Z: "f_3/Z" });
    const named = reconcile([], [listed("A", 2, 5, "m1")], mint);
    expect(idsByPath(reconcile(named, [listed("A", 8, 1, "m2")], mint))).toEqual({ A: "f_m2" });
  });

  it("follows renames to and from a path that has another mailbox now [S4.2-3]", () => {
    const before = reconcile([], [listed("A", 2, 5), listed("B", 3, 5), listed("C", 4, 5)], mint);
    const recreated = reconcile(before, [listed("A", 8, 1), listed("B", 3, 5), listed("Z", 2, 6)], mint);
    expect(idsByPath(recreated)).toEqual({ A: "f_8/A", B: "f_3/B", Z: "f_2/A" });
    const rotated = reconcile(before, [listed("A", 3, 5), listed("B", 4, 5), listed("C", 2, 5)], mint);
    expect(idsByPath(rotated)).toEqual({ A: "f_3/B", B: "f_4/C", C: "f_2/A" });
    expect(folderChanges(before, rotated, "/")).toHaveLength(3);
    const onto = reconcile(before, [listed("B", 2, 5), listed("C", 4, 5)], mint);
    expect(idsByPath(onto)).toEqual({ B: "f_2/A", C: "f_4/C" });
    // A server that renumbers its mailboxes gives some of them the former UIDVALIDITY of another.
    const renumbered = reconcile(before, [listed("A", 3, 5), listed("B", 4, 5), listed("C", 5, 5)], mint);
    expect(idsByPath(renumbered)).toEqual({ A: "f_3/A", B: "f_4/B", C: "f_5/C" });
    // Either of two mailboxes with one UIDVALIDITY may be the one that was renamed.
    const alike = reconcile([], [listed("A", 2, 5), listed("B", 2, 5)], mint);
    expect(idsByPath(reconcile(alike, [listed("A", 8, 1), listed("Z", 2, 5)], mint))).toEqual({
      A: "f_8/A",
      Z: "f_2/Z",
    });
  });

  it("treats a rename with two candidates as new folders [S4.2-3]", () => {
    const before = reconcile([], [listed("A", 2, 5)], mint);
    expect(idsByPath(reconcile(before, [listed("Y", 2, 5), listed("Z", 2, 5)], mint))).toEqual({
      Y: "f_2/Y",
      Z: "f_2/Z",
    });
    const two = reconcile([], [listed("A", 2, 1), listed("B", 2, 1)], mint);
    expect(idsByPath(reconcile(two, [listed("Z", 2, 5)], mint))).toEqual({ Z: "f_2/Z" });
  });

  it("follows MAILBOXID alone if there is one [S4.2-2]", () => {
    const before = reconcile([], [listed("A", 2, 5, "m1"), listed("B", 2, 5, "m2")], mint);
    const swapped = reconcile(before, [listed("B", 2, 5, "m1"), listed("A", 2, 5, "m2")], mint);
    expect(idsByPath(swapped)).toEqual({ B: "f_m1", A: "f_m2" });
    expect(idsByPath(reconcile(before, [listed("A", 2, 5, "m3"), listed("B", 2, 5, "m2")], mint))).toEqual({
      A: "f_m3",
      B: "f_m2",
    });
  });

  it("follows MAILBOXID to another path also with an id from before the server had it", () => {
    const known = { id: "f_old", key: "f_old", path: "A", mailboxId: "m1", uidValidity: 2, uidNext: 5, createdAt: 0 };
    expect(idsByPath(reconcile([known], [listed("B", 9, 1, "m1")], mint))).toEqual({ B: "f_old" });
    expect(idsByPath(reconcile([known], [listed("A", 2, 5, "m3")], mint))).toEqual({ A: "f_m3" });
    // A server may begin or cease to give MAILBOXIDs.
    expect(idsByPath(reconcile([known], [listed("A", 2, 5)], mint))).toEqual({ A: "f_old" });
    const without = { ...known, mailboxId: null };
    expect(idsByPath(reconcile([without], [listed("A", 2, 5, "m1")], mint))).toEqual({ A: "f_old" });
    expect(idsByPath(reconcile([known], [listed("B", 2, 5)], mint))).toEqual({ B: "f_2/B" });
  });

  it("treats a name that holds no messages as the same folder while it holds none", () => {
    const name = { ...listed("N", 0), status: null };
    const before = reconcile([], [name], mint);
    expect(before).toEqual([
      { id: "f_/N", key: "f_/N", path: "N", mailboxId: null, uidValidity: null, uidNext: null, createdAt: 1_000 },
    ]);
    expect(idsByPath(reconcile(before, [name], mint))).toEqual({ N: "f_/N" });
    expect(idsByPath(reconcile(before, [listed("N", 4)], mint))).toEqual({ N: "f_4/N" });
    expect(idsByPath(reconcile(before, [{ ...name, path: "M" }], mint))).toEqual({ M: "f_/M" });
  });

  it("never gives a recreated path the id of the folder renamed away from it", () => {
    const before = reconcile([], [listed("A", 2, 5)], mint);
    const renamed = reconcile(before, [listed("Z", 2, 5)], mint);
    const again = reconcile(renamed, [listed("Z", 2, 5), listed("A", 2, 1)], mint);
    expect(idsByPath(again)).toEqual({ Z: "f_2/A", A: "f_2/A#2" });
  });

  it("gives a folder that lost its role a new id", () => {
    const before = reconcile([], [{ ...listed("Trash", 4), role: "trash" }], mint);
    expect(idsByPath(reconcile(before, [listed("Trash", 4)], mint))).toEqual({ Trash: "f_4/Trash" });
  });

  describe("of a role that moves to another mailbox", () => {
    const trash = (path: string, ...rest: [number, number?, (string | null)?]): ListedMailbox => ({
      ...listed(path, ...rest),
      role: "trash",
    });
    /** Returns the ids and the keys by path. */
    const named = (records: ReadonlyArray<FolderRecord>) =>
      Object.fromEntries(records.map(({ path, id, key }) => [path, [id, key]]));
    const first = reconcile([], [trash("Trash", 4, 9), listed("Deleted", 4, 9)], mint);

    it("the id moves, and each mailbox keeps its key, there and back [S4.2-1] [S4.2-6]", () => {
      expect(named(first)).toEqual({ Trash: ["trash", "trash"], Deleted: ["f_4/Deleted", "f_4/Deleted"] });
      const there = reconcile(first, [listed("Trash", 4, 9), trash("Deleted", 4, 9)], mint);
      expect(named(there)).toEqual({ Trash: ["f_4/Trash", "trash"], Deleted: ["trash", "f_4/Deleted"] });
      expect(reconcile(there, [listed("Trash", 4, 9), trash("Deleted", 4, 9)], mint)).toEqual(there);
      const back = reconcile(there, [trash("Trash", 4, 9), listed("Deleted", 4, 9)], mint);
      expect(named(back)).toEqual(named(first));
      // Each mailbox also keeps its key if it is renamed.
      const renamed = reconcile(there, [listed("Old", 4, 9), trash("Deleted", 4, 9)], mint);
      expect(named(renamed)).toEqual({ Old: ["f_4/Trash", "trash"], Deleted: ["trash", "f_4/Deleted"] });
    });

    it("a mailbox that is listed for the first time gets a key that no mailbox had [S4.2-6]", () => {
      const known = reconcile([], [trash("Trash", 4, 9)], mint);
      const there = reconcile(known, [listed("Trash", 4, 9), trash("Deleted", 4, 9)], mint);
      expect(named(there)).toEqual({ Trash: ["f_4/Trash", "trash"], Deleted: ["trash", "f_4/Deleted"] });
      // The mailbox has the same id when the role leaves it again.
      const back = reconcile(there, [trash("Trash", 4, 9), listed("Deleted", 4, 9)], mint);
      expect(named(back)).toEqual({ Trash: ["trash", "trash"], Deleted: ["f_4/Deleted", "f_4/Deleted"] });
      // The mailbox that had the role may have vanished.
      expect(named(reconcile(known, [trash("Deleted", 4, 3)], mint))).toEqual({ Deleted: ["trash", "f_4/Deleted"] });
      expect(named(reconcile(known, [trash("Deleted", 7, 9)], mint))).toEqual({ Deleted: ["trash", "f_7/Deleted"] });
    });

    it("a special folder that is renamed or gets another UIDVALIDITY keeps its key [S4.2-6]", () => {
      const known = reconcile([], [inbox, trash("Trash", 4, 9)], mint);
      expect(named(reconcile(known, [inbox, trash("Bin", 4, 9)], mint))["Bin"]).toEqual(["trash", "trash"]);
      expect(named(reconcile(known, [inbox, trash("Trash", 5, 1)], mint))["Trash"]).toEqual(["trash", "trash"]);
      const closed = { ...trash("Trash", 4), status: null, isClosed: true } as const;
      expect(reconcile(known, [inbox, closed], mint)).toEqual(known);
      // Nothing shows which of the two mailboxes it was.
      const two = reconcile(known, [inbox, trash("Bin", 4, 9), listed("Old", 4, 9)], mint);
      expect(named(two)).toMatchObject({ Bin: ["trash", "f_4/Bin"], Old: ["f_4/Old", "f_4/Old"] });
      // A folder of the user's became the Trash under another name, and the Trash was removed.
      const replaced = reconcile(first, [trash("Bin", 4, 9)], mint);
      expect(named(replaced)).toEqual({ Bin: ["trash", "f_4/Bin"] });
    });

    it("follows MAILBOXID alone if there is one [S4.2-6]", () => {
      const known = reconcile([], [trash("Trash", 4, 9, "m1"), listed("Deleted", 4, 9, "m2")], mint);
      const exchanged = reconcile(known, [trash("Trash", 4, 9, "m2"), listed("Deleted", 4, 9, "m1")], mint);
      expect(named(exchanged)).toEqual({ Trash: ["trash", "f_m2"], Deleted: ["f_m1", "trash"] });
      const replaced = reconcile(known, [trash("Trash", 4, 9, "m3"), listed("Deleted", 4, 9, "m2")], mint);
      expect(named(replaced)).toEqual({ Trash: ["trash", "f_m3"], Deleted: ["f_m2", "f_m2"] });
    });

    it("two roles may be exchanged, and INBOX is always the same [S4.2-6]", () => {
      const junk = (path: string, uidValidity: number): ListedMailbox => ({
        ...listed(path, uidValidity),
        role: "junk",
      });
      const known = reconcile([], [inbox, trash("A", 4), junk("B", 4)], mint);
      const exchanged = reconcile(
        known,
        [{ ...inbox, status: listed("", 8).status }, junk("A", 4), trash("B", 4)],
        mint,
      );
      expect(named(exchanged)).toEqual({ INBOX: ["inbox", "inbox"], A: ["junk", "trash"], B: ["trash", "junk"] });
      const lost = reconcile(exchanged, [inbox, listed("A", 4), listed("B", 4)], mint);
      expect(named(lost)).toMatchObject({ A: ["f_4/A", "trash"], B: ["f_4/B", "junk"] });
    });

    it("no two mailboxes ever have the same key, and a mailbox that stays keeps its key [S4.2-6]", () => {
      const paths = ["A", "B", "C"];
      const looks = fc.array(
        fc.record({ role: fc.constantFrom(null, ...paths), present: fc.subarray(paths, { minLength: 1 }) }),
        { minLength: 1, maxLength: 6 },
      );
      fc.assert(
        fc.property(looks, (steps) => {
          let known: ReadonlyArray<FolderRecord> = [];
          for (const { role, present } of steps) {
            const now = present.map((path) => (path === role ? trash(path, 4, 9) : listed(path, 4, 9)));
            const records = reconcile(known, now, mint);
            expect(new Set(records.map(({ key }) => key)).size).toBe(records.length);
            expect(new Set(records.map(({ id }) => id)).size).toBe(records.length);
            expect(reconcile(records, now, mint)).toEqual(records);
            for (const { path, key } of records) {
              const before = known.find((one) => one.path === path);
              if (before !== undefined) expect(key).toBe(before.key);
            }
            known = records;
          }
        }),
      );
    });
  });

  it("gives each mailbox a unique id, and changes none if nothing changed", () => {
    const mailboxes = fc.uniqueArray(
      fc.record({
        path: fc.string({ minLength: 1, maxLength: 3 }),
        uidValidity: fc.integer({ min: 1, max: 3 }),
        uidNext: fc.integer({ min: 1, max: 4 }),
        mailboxId: fc.constant(null),
      }),
      { selector: ({ path }) => path },
    );
    fc.assert(
      fc.property(mailboxes, mailboxes, (before, after) => {
        const known = reconcile(
          [],
          before.map((m) => listed(m.path, m.uidValidity, m.uidNext)),
          mint,
        );
        const now = after.map((m) => listed(m.path, m.uidValidity, m.uidNext));
        const records = reconcile(known, now, mint);
        expect(records.map(({ path }) => path)).toEqual(now.map(({ path }) => path));
        expect(new Set(records.map(({ id }) => id)).size).toBe(records.length);
        expect(reconcile(records, now, mint)).toEqual(records);
        expect(sameFolders(records, reconcile(records, now, mint))).toBe(true);
        for (const record of records) {
          const same = known.find(
            ({ path, uidValidity }) => path === record.path && uidValidity === record.uidValidity,
          );
          if (same !== undefined) expect(record.id).toBe(same.id);
        }
      }),
    );
  });
});
