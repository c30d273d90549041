import { describe, expect, it } from "vitest";
import { foldersOf, nameOf, parentPath } from "../../src/folders/folder-tree.ts";
import type { FolderRecord } from "../../src/folders/index.ts";
import { listedAt } from "./listed.ts";

const recordAt = (path: string): FolderRecord => ({
  id: `id of ${path}`,
  key: `key of ${path}`,
  path,
  mailboxId: null,
  uidValidity: 1,
  uidNext: 1,
  createdAt: 0,
});

describe("the place of a mailbox", () => {
  it.each<[path: string, prefix: string, delimiter: string | null, parent: string | null, name: string]>([
    ["A", "", "/", null, "A"],
    ["A/B/C", "", "/", "A/B", "C"],
    ["A/B", "", null, null, "A/B"],
    ["A/B", "", ".", null, "A/B"],
    ["/A", "", "/", null, "/A"],
    ["INBOX.A", "INBOX.", ".", null, "A"],
    ["INBOX.A.B", "INBOX.", ".", "INBOX.A", "B"],
    ["INBOX", "INBOX.", ".", null, "INBOX"],
    ["user.ann", "INBOX.", ".", null, "user.ann"],
    ["#shared.of.team", "INBOX.", ".", "#shared.of", "team"],
  ])("%s below %j with %j between is in %j as %j", (path, prefix, delimiter, parent, name) => {
    expect([parentPath({ path, prefix, delimiter }), nameOf({ path, prefix, delimiter })]).toEqual([parent, name]);
  });
});

it("a folder has its parent if that is listed, its role, and its counts if it holds messages", () => {
  const listed = [
    listedAt("A", { status: null }),
    listedAt("A/B", { role: "sent", status: { total: 7, unread: 2 } }),
    listedAt("X/Y"),
  ];
  const folders = foldersOf(
    listed,
    listed.map(({ path }) => recordAt(path)),
  );
  const common = { delimiter: "/", role: null, parentId: null, selectable: true, unreadCount: 0, totalCount: 0 };
  expect(folders).toEqual([
    { ...common, id: "id of A", key: "key of A", name: "A", path: "A", selectable: false },
    {
      ...common,
      id: "id of A/B",
      key: "key of A/B",
      name: "B",
      path: "A/B",
      parentId: "id of A",
      role: "sent",
      unreadCount: 2,
      totalCount: 7,
    },
    { ...common, id: "id of X/Y", key: "key of X/Y", name: "Y", path: "X/Y" },
  ]);
});
