import { assert, it } from "@effect/vitest";
import type { ListResponse } from "imapflow";
import { listedMailboxes } from "../src/selecting/listed-mailboxes.ts";

const entry = (path: string, more: Partial<ListResponse> = {}): ListResponse => ({
  path,
  pathAsListed: path,
  name: path,
  delimiter: "/",
  parent: [],
  parentPath: "",
  flags: new Set(),
  listed: true,
  subscribed: true,
  status: { path, messages: 3, unseen: 1, uidValidity: 9n, uidNext: 4 },
  ...more,
});
const INBOX = entry("INBOX", { specialUse: "\\Inbox", specialUseSource: "name" });
const list = (entries: ReadonlyArray<ListResponse>) => listedMailboxes(entries, new Map([["Work", "M1"]]), () => "");
const roles = (entries: ReadonlyArray<ListResponse>) =>
  Object.fromEntries(list(entries).map(({ path, role }) => [path, role]));

it("puts INBOX first and lists each path once", () => {
  const paths = list([entry("B"), entry("A"), INBOX, entry("A")]).map(({ path }) => path);
  assert.deepStrictEqual(paths, ["INBOX", "B", "A"]);
});

it("gives no role by name where the server marks special folders", () => {
  const sent = entry("Sent", { specialUse: "\\Sent", specialUseSource: "extension" });
  const archive = entry("Archive", { specialUse: "\\Archive", specialUseSource: "name" });
  assert.deepStrictEqual(roles([INBOX, sent, archive]), { INBOX: "inbox", Sent: "sent", Archive: null });
});

it("gives roles by name if the server marks none", () => {
  const sent = entry("Gesendet", { specialUse: "\\Sent", specialUseSource: "name" });
  const archive = entry("Archive", { specialUse: "\\Archive", specialUseSource: "name" });
  assert.deepStrictEqual(roles([INBOX, sent, archive]), { INBOX: "inbox", Gesendet: "sent", Archive: "archive" });
});

it("gives each role once, and none for unknown special uses", () => {
  const trash = { specialUse: "\\Trash", specialUseSource: "extension" } as const;
  const all = entry("All", { specialUse: "\\All", specialUseSource: "extension" });
  assert.deepStrictEqual(roles([INBOX, entry("T1", trash), entry("T2", trash), all]), {
    INBOX: "inbox",
    T1: "trash",
    T2: null,
    All: null,
  });
});

it("copies the server's status, or none if it reported none", () => {
  const [, work, parent, none] = list([
    INBOX,
    entry("Work"),
    entry("Parent", { flags: new Set(["\\Noselect"]), status: undefined }),
    entry("Flat", { delimiter: "", status: { path: "Flat" } }),
  ]);
  assert.deepStrictEqual(work?.status, { total: 3, unread: 1, uidValidity: 9, uidNext: 4, mailboxId: "M1" });
  assert.deepInclude(parent, { status: null, delimiter: "/" });
  assert.deepInclude(none, { status: null, delimiter: null });
});
