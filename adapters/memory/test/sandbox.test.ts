import { type AccountId, CredentialVault, MailboxReader, MailboxTree } from "@postern/core";
import { CredentialVaultInMemory, demoAccounts, MailInMemory, SandboxMailWorld } from "@postern/memory";
import { it } from "@effect/vitest";
import { Effect, Layer, Redacted } from "effect";
import { describe, expect } from "vitest";

const Sandbox = MailInMemory.pipe(Layer.provideMerge(CredentialVaultInMemory), Layer.provide(SandboxMailWorld));

const [demo] = demoAccounts;
const account = demo.address as AccountId;

const signedIn = Effect.gen(function* () {
  const vault = yield* CredentialVault;
  yield* vault.keep(account, { username: demo.address, password: Redacted.make(demo.password) });
});

describe("the sandbox", () => {
  it.effect("has folders nested and named in several scripts", () =>
    Effect.gen(function* () {
      yield* signedIn;
      const listed = yield* (yield* MailboxTree).list(account);
      const paths = listed.map(({ path }) => path);
      expect(paths).toEqual(expect.arrayContaining(["INBOX", "Sent", "Projects/2026/Räume", "日本語", "Ελληνικά", "Архив"]));
      expect(listed.find(({ path }) => path === "Архив")?.status).toBeNull();
      expect(new Set(listed.map(({ status }) => status?.uidValidity)).size).toBe(listed.length);
    }).pipe(Effect.provide(Sandbox)),
  );

  it.effect("has a few hundred varied messages, each of them readable", () =>
    Effect.gen(function* () {
      yield* signedIn;
      const view = yield* (yield* MailboxReader).view(account, "INBOX");
      const messages = yield* view.messages(1, view.total);
      expect(messages.length).toBeGreaterThan(250);
      expect(messages.filter(({ unread }) => unread).length).toBe(view.unread);
      expect(messages.every(({ from, to, messageId, sentAt }) => from?.address && to.length > 0 && messageId && sentAt)).toBe(true);
      const subjects = messages.map(({ subject }) => subject);
      for (const subject of ["会議の議事録", "Ξεκινάμε 🚀", "مواعيد الأسبوع القادم", "", "Welcome to the sandbox"]) {
        expect(subjects).toContain(subject);
      }
      expect(Math.max(...subjects.map((subject) => subject.length))).toBe(3000);
      const files = messages.flatMap(({ attachments }) => attachments);
      expect(new Set(files.map(({ type }) => type))).toEqual(new Set(["application/pdf", "text/csv", "text/calendar"]));
      expect(files.find(({ type }) => type === "application/pdf")?.name).toBe("Übersicht.pdf");
      expect(messages.filter(({ flagged }) => flagged).length).toBeGreaterThan(5);
      expect(messages.filter(({ answered }) => answered).length).toBeGreaterThan(5);
      expect(new Set(messages.map(({ from }) => from?.name))).toContain("田中 健一");
    }).pipe(Effect.provide(Sandbox), Effect.scoped),
  );
});
