import { it } from "@effect/vitest";
import type { AccountId } from "@postern/core/shared";
import type { MessageSummary } from "@postern/core/mail";
import { CredentialVault } from "@postern/core/auth";
import { MailboxTree } from "@postern/core/folders";
import { MailboxReader } from "@postern/core/messages";
import {
  CredentialVaultInMemory,
  Memory,
  demoAccounts,
  MailInMemory,
  sandboxMailServer,
  SandboxMailWorld,
} from "@postern/memory";
import { Effect, Layer, Redacted } from "effect";
import { TestClock } from "effect/testing";
import { describe, expect } from "vitest";

const NOW = Date.UTC(2026, 10, 21, 3, 4, 5);
const [demo, friend] = demoAccounts;
const serverAt = (now = NOW, seed = 1) => sandboxMailServer({ now, uidValidityBase: 500, seed });
const mailOf = (address: string, server = serverAt()) =>
  server
    .account(address as AccountId)
    .list()
    .flatMap(({ path, mailbox }) =>
      (mailbox?.messages ?? []).map((message) => ({
        path,
        message,
        summary: message.summary,
        text: Buffer.from(message.raw).toString("latin1"),
      })),
    );

describe("the sandbox", () => {
  it.effect("stands behind the ports, with folders nested and named in several scripts", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW);
      const account = demo.address as AccountId;
      const Sandbox = MailInMemory.pipe(
        Layer.provideMerge(CredentialVaultInMemory),
        Layer.provide([SandboxMailWorld, Memory.layer]),
      );
      yield* Effect.gen(function* () {
        const password = Redacted.make(demo.password);
        yield* (yield* CredentialVault).keep(account, { username: demo.address, password });
        const listed = yield* (yield* MailboxTree).list(account);
        const paths = listed.map(({ path }) => path);
        const folders = [
          "INBOX",
          "Sent",
          "Projects/2026/Räume",
          "Reçus & factures",
          "日本語",
          "Ελληνικά",
          "Архив/Старое",
        ];
        expect(paths).toEqual(expect.arrayContaining(folders));
        expect(listed.find(({ path }) => path === "Архив")?.status).toBeNull();
        expect(listed[0]?.status?.uidValidity).toBe(NOW / 1000);
        const view = yield* (yield* MailboxReader).view(account, "INBOX");
        const [newest] = yield* view.messages(view.total, view.total);
        expect(newest).toMatchObject({ subject: "Welcome to the sandbox 👋", unread: true });
      }).pipe(Effect.provide(Sandbox), Effect.scoped);
    }),
  );

  it("is the same for the same seed and moment, and another for others", () => {
    const bytes = (server: ReturnType<typeof serverAt>) =>
      demoAccounts.flatMap(({ address }) =>
        mailOf(address, server).map(({ path, message, text }) => [
          path,
          message.uid,
          message.arrivedAt,
          [...message.flags],
          text,
        ]),
      );
    expect(bytes(serverAt())).toEqual(bytes(serverAt()));
    expect(bytes(serverAt(NOW, 2))).not.toEqual(bytes(serverAt()));
    expect(bytes(serverAt(NOW + 1000))).not.toEqual(bytes(serverAt()));
  });

  it.each([0, 1, 7, 8, 12, 18, 23])(
    "at %d o'clock all mail is of the year before, in the order of its UIDs",
    (hour) => {
      const now = Date.UTC(2024, 1, 29, hour);
      for (const { address } of demoAccounts) {
        const all = mailOf(address, serverAt(now));
        for (const { summary } of all) {
          expect(summary.arrivedAt, summary.subject).toBeLessThanOrEqual(now);
          expect(summary.arrivedAt, summary.subject).toBeGreaterThan(now - 366 * 24 * 3600_000);
          expect(summary.sentAt, summary.subject).toBeLessThanOrEqual(summary.arrivedAt);
        }
        for (const path of new Set(all.map((one) => one.path))) {
          const arrivals = all.filter((one) => one.path === path).map(({ summary }) => summary.arrivedAt);
          expect(arrivals).toEqual(arrivals.toSorted((one, other) => one - other));
        }
      }
    },
  );

  it("has a few hundred varied messages, each of them well formed", () => {
    const all = mailOf(demo.address);
    const summaries: ReadonlyArray<MessageSummary> = all.map(({ summary }) => summary);
    expect(all.length).toBeGreaterThan(280);
    for (const { summary, text } of all) {
      expect(summary.from?.address, summary.subject).toMatch(/^[^@\s]+@[^@\s]+\.test$/);
      expect(summary.to.length).toBeGreaterThan(0);
      expect(text, summary.subject).not.toMatch(/\{(item|blurb|n|month|year|date|amount)\}|undefined|NaN/);
      expect(summary.subject, "no word left encoded").not.toMatch(/=\?|\ufffd/);
      expect(Math.max(...text.split("\r\n").map((line) => line.length)), summary.subject).toBeLessThanOrEqual(998);
    }
    expect(new Set(summaries.map(({ messageId }) => messageId)).size).toBe(all.length);
    const subjects = summaries.map(({ subject }) => subject);
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
    expect(all.filter(({ text }) => /^List-Id: /m.test(text)).length).toBeGreaterThan(50);
    expect(all.filter(({ text }) => text.includes("multipart/related")).length).toBeGreaterThan(50);
    for (const type of ["application/pdf", "text/csv", "text/calendar", "image/png"]) {
      expect(
        summaries.filter(({ attachments }) => attachments.some((file) => file.type === type)).length,
        type,
      ).toBeGreaterThan(0);
    }
    for (const mark of ["unread", "flagged", "answered", "draft"] as const) {
      const marked = summaries.filter((summary) => summary[mark]).length;
      expect(marked, mark).toBeGreaterThan(1);
      expect(marked, mark).toBeLessThan(all.length / 3);
    }
    expect(Math.max(...summaries.map(({ to, cc }) => to.length + cc.length))).toBeGreaterThan(10);
  });

  it("has threads whose references lead to mail that is there", () => {
    const all = mailOf(demo.address);
    const ids = new Set(all.map(({ summary }) => summary.messageId));
    const replies = all.flatMap(({ text }) => /^In-Reply-To: (<.+>)/m.exec(text)?.[1] ?? []);
    expect(replies.length).toBeGreaterThan(40);
    for (const id of replies) expect(ids).toContain(id);
    const references = all.flatMap(({ text }) => /^References:((?:\r\n)? .*(?:\r\n .*)*)/m.exec(text)?.[1] ?? []);
    expect(references.length).toBe(replies.length);
    references.forEach((list, n) => {
      const named = list.trim().split(/\s+/);
      expect(named.at(-1)).toBe(replies[n]);
      for (const id of named) expect(ids).toContain(id);
    });
    expect(Math.max(...references.map((list) => list.trim().split(/\s+/).length))).toBeGreaterThan(2);
  });

  it("has what passed between the two in both accounts", () => {
    const [mine, theirs] = [mailOf(demo.address), mailOf(friend.address)];
    expect(theirs.length).toBeGreaterThan(10);
    for (const { path, summary } of theirs) {
      const same = mine.find((one) => one.summary.messageId === summary.messageId);
      expect(same?.summary.subject, summary.subject).toBe(summary.subject);
      expect(path).toBe(summary.from?.address === friend.address ? "Sent" : "INBOX");
    }
  });
});
