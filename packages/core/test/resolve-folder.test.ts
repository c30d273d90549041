import { FolderAmbiguous, FolderNotFound } from "../src/mail/index.ts";
import { type Folder } from "../src/folders/index.ts";
import { resolveFolder } from "../src/folders/Folders.ts";
import { Result } from "effect";
import { describe, expect, it } from "vitest";

const folder = (id: string, path: string, role: Folder["role"] = null): Folder => ({
  id,
  key: id,
  path,
  name: path.split("/").at(-1)!,
  role,
  parentId: null,
  delimiter: "/",
  selectable: true,
  unreadCount: 0,
  totalCount: 0,
});

const folders = [
  folder("inbox", "INBOX", "inbox"),
  folder("sent", "Sent Items", "sent"),
  folder("f_a", "Projects/2026"),
  folder("f_b", "Archive/2026"),
  folder("f_c", "Archive/Taxes"),
  folder("f_d", "sent"),
  folder("f_e", "f_a"),
];

const idOf = (wanted: string) => Result.map(resolveFolder(folders, wanted), ({ id }) => id);

describe("resolveFolder", () => {
  it.each([
    ["INBOX", "inbox"],
    ["inBox", "inbox"],
    ["f_b", "f_b"],
    ["Archive/2026", "f_b"],
    ["Taxes", "f_c"],
    ["Sent Items", "sent"],
  ])("resolves %s to %s [S4.3-1]", (wanted, id) => expect(idOf(wanted)).toEqual(Result.succeed(id)));

  it("prefers an id to an equal path [S4.3-1]", () => {
    expect(idOf("sent")).toEqual(Result.succeed("sent"));
    expect(idOf("f_a")).toEqual(Result.succeed("f_a"));
  });

  it("returns the paths of folders that share a name [S4.3-2]", () => {
    const ambiguous = new FolderAmbiguous({ paths: ["Projects/2026", "Archive/2026"] });
    expect(idOf("2026")).toEqual(Result.fail(ambiguous));
  });

  it.each(["Nope", "", "projects/2026", "Archive/", "/Archive/2026"])("finds nothing for %j [S4.3-3]", (wanted) =>
    expect(idOf(wanted)).toEqual(Result.fail(new FolderNotFound())),
  );
});
