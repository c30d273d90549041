import { Mailbox } from "@postern/memory";
import { describe, expect, it } from "vitest";

const raw = (text: string) => new TextEncoder().encode(text);
const MESSAGE = raw("Subject: x\r\n\r\nText.\r\n");

describe("a mailbox", () => {
  it("never reuses a UID", () => {
    const mailbox = new Mailbox(1);
    const uids = [1, 2, 3].map(() => mailbox.append(MESSAGE, 0).uid);
    mailbox.expunge([uids[2]!, 99]);
    expect(mailbox.uidNext).toBe(4);
    expect(mailbox.append(MESSAGE, 0).uid).toBe(4);
    expect(mailbox.messages.map(({ uid }) => uid)).toEqual([1, 2, 4]);
    expect(mailbox.find(3)).toBeUndefined();
  });

  it("keeps arrival to the second and counts unread messages", () => {
    const mailbox = new Mailbox(1);
    const message = mailbox.append(MESSAGE, 1_700_000_000_999, ["\\sEEN", "$Label"]);
    expect(message.arrivedAt).toBe(1_700_000_000_000);
    expect([...message.flags]).toEqual(["\\Seen", "$Label"]);
    expect(mailbox.unread).toBe(0);
    message.flags = [];
    expect(mailbox.unread).toBe(1);
  });

  it("refuses flags that cannot be set, and an empty message, without using a UID", () => {
    const mailbox = new Mailbox(1);
    for (const flag of ["\\Recent", "\\Bogus"]) expect(() => mailbox.append(MESSAGE, 0, [flag])).toThrow(flag);
    expect(() => mailbox.append(raw(""), 0)).toThrow("byte");
    expect(mailbox.uidNext).toBe(1);
    expect(mailbox.messages).toEqual([]);
  });

  it("serves and counts line ends as CRLF", () => {
    const message = new Mailbox(1).append(raw("Subject: x\nTo: y@z\r\n\nbare\nlf\n"), 0);
    expect(new TextDecoder().decode(message.raw)).toBe("Subject: x\r\nTo: y@z\r\n\r\nbare\r\nlf\r\n");
    expect(message.summary.size).toBe(33);
  });

  it("makes a message once, on first use", () => {
    let made = 0;
    const message = new Mailbox(1).append(() => (made++, MESSAGE), 0);
    expect(made).toBe(0);
    expect(message.summary.subject).toBe("x");
    expect(message.raw).toEqual(MESSAGE);
    expect(made).toBe(1);
  });

  it("moves messages with flags and arrival, in order, to new UIDs", () => {
    const [from, to] = [new Mailbox(1), new Mailbox(2)];
    for (const flags of [["\\Seen"], ["\\Flagged"], []]) from.append(MESSAGE, 5000, flags);
    to.append(MESSAGE, 0);
    expect(from.move([3, 1, 77], to).map(({ uid }) => uid)).toEqual([2, 3]);
    expect(from.messages.map(({ uid }) => uid)).toEqual([2]);
    expect(to.messages.map(({ arrivedAt, flags }) => [arrivedAt, ...flags])).toEqual([[0], [5000, "\\Seen"], [5000]]);
  });
});
