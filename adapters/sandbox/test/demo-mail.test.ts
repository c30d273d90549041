import { demoAccounts, demoMail } from "@postern/sandbox";
import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";

const NOW = Date.UTC(2026, 10, 21, 3, 4, 5);
const [demo, friend] = demoAccounts;
const messagesOf = (address: string, now = NOW, seed = 1) =>
  demoMail(now, seed).find((account) => account.address === address)!.messages;

const lettersOf = (address: string) =>
  Promise.all(
    messagesOf(address).map(async ({ folder, flags, raw }) => ({
      folder,
      flags,
      email: await PostalMime.parse(raw()),
      text: Buffer.from(raw()).toString("latin1"),
    })),
  );

const HEADER_DATE = /^Date: (.*)$/m;

describe("the demo mail", () => {
  it("is the same for the same seed and time, and different for others", () => {
    const bytes = (now?: number, seed?: number) =>
      demoAccounts.map(({ address }) =>
        messagesOf(address, now, seed).map(({ raw, ...rest }) => ({ ...rest, raw: Buffer.from(raw()).toString() })),
      );
    const one = bytes();
    expect(bytes()).toEqual(one);
    expect(bytes(NOW, 2)).not.toEqual(one);
    expect(bytes(NOW + 1000)).not.toEqual(one);
  });

  it.each([0, 1, 7, 8, 12, 18, 23])("is all from the previous year, oldest first, at %d o'clock", (hour) => {
    const now = Date.UTC(2024, 1, 29, hour);
    for (const { address } of demoAccounts) {
      const messages = messagesOf(address, now);
      for (const { arrivedAt, raw } of messages) {
        const text = Buffer.from(raw()).toString("latin1");
        expect(arrivedAt, text).toBeLessThanOrEqual(now);
        expect(arrivedAt, text).toBeGreaterThan(now - 366 * 24 * 3600_000);
        expect(Date.parse(HEADER_DATE.exec(text)![1]!), text).toBeLessThanOrEqual(arrivedAt);
      }
      const arrivals = messages.map(({ arrivedAt }) => arrivedAt);
      expect(arrivals).toEqual(arrivals.toSorted((one, other) => one - other));
    }
  });

  it("has a few hundred varied, well-formed messages", async () => {
    const all = await lettersOf(demo.address);
    expect(all.length).toBeGreaterThan(280);
    for (const { email, text } of all) {
      expect(email.from?.address, email.subject).toMatch(/^[^@\s]+@[^@\s]+\.test$/);
      expect(email.to?.length).toBeGreaterThan(0);
      expect(text, email.subject).not.toMatch(/\{(item|blurb|n|month|year|date|amount)\}|undefined|NaN/);
      expect(email.subject ?? "", "no word left encoded").not.toMatch(/=\?|\ufffd/);
      expect(`${email.text}${email.html}`, email.subject).not.toMatch(/\ufffd/);
      expect(Math.max(...text.split("\r\n").map((line) => line.length)), email.subject).toBeLessThanOrEqual(998);
    }
    expect(new Set(all.map(({ email }) => email.messageId)).size).toBe(all.length);
    const subjects = all.map(({ email }) => email.subject ?? "");
    for (const subject of [
      "茶室の打ち合わせ",
      "Ξεκινάμε 🚀",
      "مسابقة الرياض: مواعيد الأسبوع القادم",
      "Архив: описи за 1912 год",
      "",
    ]) {
      expect(subjects).toContain(subject);
    }
    expect(Math.max(...subjects.map((subject) => subject.length))).toBe(3000);
    for (const charset of ["iso-8859-1", "windows-1251", "koi8-r", "iso-2022-jp"]) {
      expect(all.filter(({ text }) => text.includes(`charset=${charset}`)).length, charset).toBeGreaterThan(0);
    }
    expect(all.filter(({ text }) => /^List-Id: /im.test(text)).length).toBeGreaterThan(50);
    expect(all.filter(({ text }) => text.includes("multipart/related")).length).toBeGreaterThan(50);
    for (const type of ["application/pdf", "text/csv", "text/calendar", "image/png"]) {
      const carrying = all.filter(({ email }) => email.attachments.some(({ mimeType }) => mimeType === type));
      expect(carrying.length, type).toBeGreaterThan(0);
    }
    expect(Math.max(...all.map(({ email: { to = [], cc = [] } }) => to.length + cc.length))).toBeGreaterThan(10);
  });

  it("has unread, flagged, answered and draft messages", () => {
    const messages = messagesOf(demo.address);
    const unread = messages.filter(({ flags }) => !flags.includes("\\Seen"));
    const flagged = ["\\Flagged", "\\Answered", "\\Draft"].map((flag) =>
      messages.filter(({ flags }) => flags.includes(flag)),
    );
    for (const marked of [unread, ...flagged]) {
      expect(marked.length).toBeGreaterThan(1);
      expect(marked.length).toBeLessThan(messages.length / 3);
    }
  });

  it("has threads whose references point to existing mail", async () => {
    const all = await lettersOf(demo.address);
    const ids = new Set(all.map(({ email }) => email.messageId));
    const replies = all.filter(({ email }) => email.inReplyTo !== undefined);
    expect(replies.length).toBeGreaterThan(40);
    const references = replies.map(({ email }) => email.references!.split(/\s+/));
    references.forEach((named, n) => {
      expect(named.at(-1)).toBe(replies[n]!.email.inReplyTo);
      for (const id of named) expect(ids).toContain(id);
    });
    expect(Math.max(...references.map((named) => named.length))).toBeGreaterThan(2);
  });

  it("has the messages between the two accounts in both", async () => {
    const [mine, theirs] = [await lettersOf(demo.address), await lettersOf(friend.address)];
    expect(theirs.length).toBeGreaterThan(10);
    for (const { folder, email, text } of theirs) {
      const same = mine.find((one) => one.email.messageId === email.messageId);
      expect(same?.text, email.subject).toBe(text);
      expect(folder).toBe(email.from?.address === friend.address ? "Sent" : "INBOX");
    }
  });
});
