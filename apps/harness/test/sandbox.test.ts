import { it } from "@effect/vitest";
import { CredentialVault } from "@postern/core/auth";
import { MailboxTree } from "@postern/core/folders";
import { MailboxReader } from "@postern/core/messages";
import { AccountId } from "@postern/core/shared";
import { MailInMemory, MailWorld, StoresInMemory } from "@postern/memory";
import { passwordsOnly } from "@postern/testkit";
import { demoAccounts, demoMail } from "@postern/sandbox";
import { Effect, Layer, Redacted } from "effect";
import { TestClock } from "effect/testing";
import { describe, expect } from "vitest";

const NOW = Date.UTC(2026, 10, 21, 3, 4, 5);
const [demo] = demoAccounts;

const Sandbox = MailInMemory.pipe(
  Layer.provide(passwordsOnly),
  Layer.provideMerge(StoresInMemory),
  Layer.provideMerge(MailWorld.layer(demoMail)),
);

describe("the sandbox behind the mail ports", () => {
  it.effect("has nested folders with names in several scripts", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW);
      const account = AccountId(demo.address);
      yield* Effect.gen(function* () {
        const password = Redacted.make(demo.password);
        yield* (yield* CredentialVault).keep(account, { _tag: "Password", username: demo.address, password });
        const listed = yield* (yield* MailboxTree).list(account);
        const folders = [
          "INBOX",
          "Sent",
          "Projects/2026/Räume",
          "Reçus & factures",
          "日本語",
          "Ελληνικά",
          "Архив/Старое",
        ];
        expect(listed.map(({ path }) => path)).toEqual(expect.arrayContaining(folders));
        expect(listed.find(({ path }) => path === "Архив")?.status).toBeNull();
        expect(listed[0]?.status?.uidValidity).toBe(NOW / 1000);
        const view = yield* (yield* MailboxReader).view(account, "INBOX");
        const [newest] = yield* view.messages(view.total, view.total);
        expect(newest).toMatchObject({ subject: "Welcome to the sandbox 👋", unread: true });
      }).pipe(Effect.provide(Sandbox), Effect.scoped);
    }),
  );

  it.effect("gives attachments the part numbers and names of IMAP", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW);
      const world = yield* MailWorld;
      const messages = world
        .account(AccountId(demo.address))
        .list()
        .flatMap(({ mailbox }) => mailbox?.messages ?? []);
      expect(messages.length).toBeGreaterThan(280);
      const attachments = messages.flatMap(({ summary }) => summary.attachments);
      expect(new Set(attachments.map(({ id }) => id))).toEqual(new Set(["2"]));
      expect(attachments.map(({ name }) => name)).toEqual(
        expect.arrayContaining(["minutes.pdf", "議事録.pdf", "devis escalier chêne.pdf", "ταξίδι.ics"]),
      );
      for (const { summary } of messages) expect(summary.sentAt).toBeLessThanOrEqual(summary.arrivedAt);
    }).pipe(Effect.provide(Sandbox)),
  );
});
