import { MailServerInMemory } from "@postern/memory";
import { describe, expect, it } from "vitest";

const SPECIAL = ["INBOX", "Sent", "Drafts", "Junk", "Trash"];
const raw = (text: string) => new TextEncoder().encode(`Subject: ${text}\r\n\r\nText.\r\n`);
const newAccount = () => new MailServerInMemory(100).addAccount("me@postern.test", "secret");
type Account = ReturnType<typeof newAccount>;

/** Returns the names besides the special ones; names in parentheses only contain others. */
const names = (account: Account) =>
  account
    .list()
    .filter(({ path }) => !SPECIAL.includes(path))
    .map(({ path, mailbox }) => (mailbox === null ? `(${path})` : path));

/** Each test describes the behaviour of Dovecot 2.3 over IMAP. */
describe("the names of an account", () => {
  it("begin with INBOX and the special folders", () => {
    const account = newAccount();
    expect(account.list().map(({ path }) => path)).toEqual(SPECIAL);
    expect(account.list().map(({ role }) => role)).toEqual(["inbox", "sent", "drafts", "junk", "trash"]);
  });

  it("treat INBOX as case-insensitive, also as a parent, and no other name", () => {
    const account = newAccount();
    expect(() => account.create("inbox")).toThrow("exists");
    account.create("inbox/Sub");
    account.create("work");
    account.create("Work");
    expect(names(account)).toEqual(["INBOX/Sub", "Work", "work"]);
    expect(account.mailbox("iNbOx")).toBe(account.mailbox("INBOX"));
    expect(account.find("sent")).toBeUndefined();
  });

  it("get their missing parents, which can become mailboxes later", () => {
    const account = newAccount();
    account.create("A/B/C");
    expect(names(account)).toEqual(["(A)", "(A/B)", "A/B/C"]);
    account.create("A");
    expect(names(account)).toEqual(["A", "(A/B)", "A/B/C"]);
    expect(() => account.create("A")).toThrow("exists");
  });

  it.each(["", "/lead", "x//y", "trail/", "../x", "x/../y", "~x"])("cannot be %j", (path) => {
    expect(() => newAccount().create(path)).toThrow("no name");
  });

  it("stay for children when deleted, and disappear with the last child", () => {
    const account = newAccount();
    account.create("A");
    account.create("A/B");
    account.delete("A");
    expect(names(account)).toEqual(["(A)", "A/B"]);
    expect(() => account.delete("A")).toThrow("has children");
    account.delete("A/B");
    expect(names(account)).toEqual(["(A)"]);
    account.delete("A");
    expect(names(account)).toEqual([]);
    expect(() => account.delete("A")).toThrow("does not exist");
  });

  it("move with all below them and remove empty parents", () => {
    const account = newAccount();
    account.create("Q/R");
    const { uidValidity } = account.create("Q/R/S");
    account.rename("Q/R", "Deep/er");
    expect(names(account)).toEqual(["(Deep)", "Deep/er", "Deep/er/S"]);
    expect(account.mailbox("Deep/er/S").uidValidity).toBe(uidValidity);
  });

  it("cannot be renamed to existing names, to themselves, below themselves, or from missing names", () => {
    const account = newAccount();
    account.create("Q/R");
    account.create("W");
    for (const [from, to] of [
      ["W", "Q"],
      ["W", "W"],
      ["W", "Inbox"],
      ["Q", "Q/T"],
      ["nope", "x"],
      ["INBOX", "Old"],
    ] as const) {
      expect(() => account.rename(from, to), `${from} to ${to}`).toThrow(Error);
    }
    expect(() => account.delete("inbox")).toThrow("cannot be deleted");
    expect(names(account)).toEqual(["(Q)", "Q/R", "W"]);
  });

  it.each(["deleted", "renamed"])("include the special folders again, empty and new, after they were %s", (how) => {
    const account = newAccount();
    const { uidValidity } = account.mailbox("Sent");
    account.mailbox("Sent").append(raw("kept"), 0);
    if (how === "deleted") account.delete("Sent");
    else account.rename("Sent", "Other");
    expect(account.mailbox("Sent").messages).toEqual([]);
    expect(account.mailbox("Sent").uidValidity).toBeGreaterThan(uidValidity);
    expect(account.find("Other")?.mailbox?.messages.length).toBe(how === "renamed" ? 1 : undefined);
  });

  it("never share a UIDVALIDITY on the whole server", () => {
    const server = new MailServerInMemory(7);
    const accounts = ["a@postern.test", "b@postern.test"].map((address) => server.addAccount(address, "x"));
    accounts[0]!.create("Work");
    accounts[0]!.delete("Work");
    accounts[0]!.create("Work");
    const all = accounts.flatMap((account) => account.list().map(({ mailbox }) => mailbox!.uidValidity));
    expect(new Set(all).size).toBe(all.length);
    for (const base of [0, -1, 1.5, Number.NaN, 2 ** 32])
      expect(() => new MailServerInMemory(base)).toThrow(RangeError);
  });
});
