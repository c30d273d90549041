import type { Folder } from "../src/folders/index.ts";
import type { ListedMailbox } from "../src/mail/index.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isWithin, placeFor, subtreeOf, userSubtree } from "../src/folders/folder-place.ts";
import { remainingRenames, renameRecords, renamePlan } from "../src/folders/rename-plan.ts";

const ROOT = { prefix: "", delimiter: "/" };

const folder = (path: string, role: Folder["role"] = null): Folder => ({
  id: `f_${path}`,
  key: `f_${path}`,
  name: path.slice(path.lastIndexOf("/") + 1),
  path,
  role,
  parentId: path.includes("/") ? `f_${path.slice(0, path.lastIndexOf("/"))}` : null,
  delimiter: "/",
  selectable: true,
  unreadCount: 0,
  totalCount: 0,
});
const FOLDERS = [
  folder("INBOX", "inbox"),
  folder("Sent", "sent"),
  folder("A"),
  folder("A/B"),
  folder("A/B/C"),
  folder("AB"),
];
const at = (path: string) => FOLDERS.find((other) => other.path === path)!;
const place = (name: string, parent: string | null, moving?: string) => {
  const result = placeFor(FOLDERS, ROOT, name, parent === null ? null : at(parent), moving ? at(moving) : undefined);
  return result._tag === "Success" ? result.success : result.failure._tag;
};

describe("placeFor", () => {
  it("returns a path at the top or in another folder", () => {
    expect(place("New", null)).toBe("New");
    expect(place("New", "A/B")).toBe("A/B/New");
    const prefixed = placeFor([], { prefix: "INBOX.", delimiter: "." }, "New", null);
    expect(prefixed._tag === "Success" && prefixed.success).toBe("INBOX.New");
  });

  it("refuses the name of a sibling, but not of a cousin [S4.5-3]", () => {
    for (const name of ["a", "ab", "sent", "InBox"]) expect(place(name, null)).toBe("FolderExists");
    expect(place("b", "A")).toBe("FolderExists");
    expect(place("A", "A")).toBe("A/A");
    expect(place("inbox", "A")).toBe("A/inbox");
  });

  it("lets a folder keep its name, also in another case", () => {
    expect(place("A", null, "A")).toBe("A");
    expect(place("a", null, "A")).toBe("a");
    expect(place("Ab", null, "A")).toBe("FolderExists");
  });

  it("refuses a parent that is the folder itself or inside it [S4.5-5]", () => {
    for (const parent of ["A", "A/B", "A/B/C"]) expect(place("X", parent, "A")).toBe("FolderParentInvalid");
    expect(place("X", "AB", "A")).toBe("AB/X");
  });

  it("refuses more than ten levels, counting the descendants of a moved folder [S4.5-2]", () => {
    const deep = Array.from({ length: 9 }, (_, n) => folder(Array.from({ length: n + 1 }, () => "d").join("/")));
    const all = [...FOLDERS, ...deep];
    const into = (level: number, moving?: Folder) => placeFor(all, ROOT, "x", deep[level - 1]!, moving)._tag;
    expect(into(9)).toBe("Success");
    expect(into(9, at("A/B/C"))).toBe("Success");
    expect(into(9, at("A"))).toBe("Failure");
    expect(into(7, at("A"))).toBe("Success");
    expect(into(8, at("A"))).toBe("Failure");
  });

  it("renames and moves up a folder that another program made too deep, but moves it no deeper [S4.5-2]", () => {
    const deep = Array.from({ length: 12 }, (_, n) => folder(Array.from({ length: n + 1 }, () => "d").join("/")));
    const into = (level: number) => placeFor(deep, ROOT, "x", deep[level - 1]!, deep[10])._tag;
    expect([9, 10].map(into)).toEqual(["Success", "Success"]);
    const other = folder("other");
    const toOther = placeFor([...deep, other], ROOT, "x", deep[9]!, other)._tag;
    expect(toOther).toBe("Failure");
  });

  it("refuses subfolders if the server has no hierarchy", () => {
    expect(placeFor([folder("A")], { prefix: "", delimiter: null }, "x", at("A"))._tag).toBe("Failure");
  });
});

it("says why a parent is refused", () => {
  const reasonOf = (parent: string, delimiter: string | null, moving?: string) => {
    const moved = moving === undefined ? undefined : at(moving);
    const result = placeFor(FOLDERS, { prefix: "", delimiter }, "x", at(parent), moved);
    return result._tag === "Failure" && result.failure._tag === "FolderParentInvalid" ? result.failure.reason : null;
  };
  expect(reasonOf("A", null)).toBe("holds_no_folders");
  expect(reasonOf("A/B", "/", "A")).toBe("own_descendant");
  expect(reasonOf("A", "/")).toBe(null);
});

it("takes the descendants of a user's folder, of which none is special", () => {
  const subtree = userSubtree(FOLDERS, at("A"));
  expect(subtree._tag === "Success" && subtree.success.map(({ path }) => path)).toEqual(["A", "A/B", "A/B/C"]);
  expect(userSubtree(FOLDERS, at("INBOX"))._tag).toBe("Failure");
});

it("does not treat a folder as a child because its name starts with another's", () => {
  expect(subtreeOf(FOLDERS, at("A")).map(({ path }) => path)).toEqual(["A", "A/B", "A/B/C"]);
  expect(isWithin("AB", "A", "/")).toBe(false);
  expect(isWithin("A/B", "A", null)).toBe(false);
  expect(userSubtree([...FOLDERS, folder("A/Drafts", "drafts")], at("A"))._tag).toBe("Failure");
});

const paths = fc.uniqueArray(
  fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/")),
  { minLength: 1, maxLength: 12 },
);
const listed = (path: string) => ({
  path,
  prefix: "",
  delimiter: "/",
  role: null,
  status: { total: 0, unread: 0, uidValidity: 1, uidNext: 1, mailboxId: null },
});

describe("a rename", () => {
  it("moves the descendants and nothing else, and keeps ids", () => {
    fc.assert(
      fc.property(paths, fc.nat(), (names, pick) => {
        const from = names[pick % names.length]!;
        const before = names.map(listed);
        const plan = renamePlan(before, from, "z");
        const target = new Map(plan.map((rename) => [rename.from, rename.to]));
        expect([...target.keys()].toSorted()).toEqual(names.filter((path) => isWithin(path, from, "/")).toSorted());
        const after = names.map((path) => listed(target.get(path) ?? path));
        expect(new Set(after.map(({ path }) => path)).size).toBe(names.length);
        expect(remainingRenames(plan, after)).toEqual([]);
        expect(remainingRenames(plan, before)).toEqual(plan);
        const records = names.map((path) => ({
          id: path,
          key: path,
          path,
          mailboxId: null,
          uidValidity: 9,
          uidNext: 1,
          createdAt: 5,
        }));
        for (const record of renameRecords(records, plan, new Set(names), after)) {
          expect(record.path).toBe(target.get(record.id) ?? record.id);
          expect([record.uidValidity, record.createdAt]).toEqual([target.has(record.id) ? 1 : 9, 5]);
        }
      }),
    );
  });

  it("renames parents first, and skips names that hold no messages", () => {
    const before = ["A/B", "A", "A/B/C"].map(listed);
    expect(renamePlan(before, "A", "Z/Y").map(({ from, to }) => `${from} ${to}`)).toEqual([
      "A Z/Y",
      "A/B Z/Y/B",
      "A/B/C Z/Y/B/C",
    ]);
    const plan = renamePlan(before, "A", "Z");
    const left = [{ ...listed("A"), status: null }, listed("A/B"), listed("Z"), listed("A/B/C")];
    expect(remainingRenames(plan, left).map(({ from }) => from)).toEqual(["A/B", "A/B/C"]);
    expect(remainingRenames(plan, [listed("A"), listed("Z")])).toEqual([]);
  });

  it("records the state of the new path, and keeps the record of a folder that the server does not list at its new path", () => {
    const record = { id: "f", key: "f", path: "A", mailboxId: "m1", uidValidity: 9, uidNext: 8, createdAt: 5 };
    const plan = [{ from: "A", to: "Z" }];
    const renamed = (...now: ReadonlyArray<ListedMailbox>) => renameRecords([record], plan, new Set(["f"]), now)[0];
    const status = { total: 0, unread: 0, uidValidity: 3, uidNext: 2, mailboxId: "m2" };
    expect(renamed({ ...listed("Z"), status })).toEqual({
      ...record,
      path: "Z",
      mailboxId: "m2",
      uidValidity: 3,
      uidNext: 2,
    });
    expect(renamed({ ...listed("Z"), status: null })).toEqual({
      ...record,
      path: "Z",
      mailboxId: null,
      uidValidity: null,
      uidNext: null,
    });
    expect(renamed(listed("A"), listed("X"))).toBe(record);
    expect(renameRecords([{ ...record, path: "" }], plan, new Set(["f"]), [listed("Z")])[0]?.path).toBe("");
    expect(renameRecords([record], plan, new Set(["g"]), [listed("Z")])[0]).toBe(record);
  });
});
