import { assert, layer } from "@effect/vitest";
import type { AccountId } from "@postern/core/shared";
import { MailboxTree } from "@postern/core/folders";
import { SentFolder } from "@postern/core/send";
import { describeWithDovecot, signedInAccount } from "@postern/testkit";
import { Effect, Stream } from "effect";
import { imapOnDovecot } from "./imap-on-dovecot.ts";

const rawOf = (messageId: string) => `Message-ID: ${messageId}\r\nSubject: x\r\n\r\nHi\r\n`;

const keep = Effect.fnUntraced(function* (account: AccountId, messageId: string) {
  const message = Stream.make(new Uint8Array(Buffer.from(rawOf(messageId))));
  yield* (yield* SentFolder).keep(account, messageId, message, 0);
});

const sent = Effect.fnUntraced(function* (account: AccountId) {
  const mailboxes = yield* (yield* MailboxTree).list(account);
  return { paths: mailboxes.map(({ path }) => path), folder: mailboxes.find(({ role }) => role === "sent") };
});

describeWithDovecot("copies of sent messages on Dovecot", () => {
  layer(imapOnDovecot({ sent: "Gesendet" }), { excludeTestServices: true })("where Sent has another name", (it) => {
    it.effect("go there, and no folder named Sent is created", () =>
      Effect.gen(function* () {
        const { account } = yield* signedInAccount;
        for (const messageId of ["<one@x.test>", "<two@x.test>", "<one@x.test>"]) yield* keep(account, messageId);
        const { folder, paths } = yield* sent(account);
        assert.strictEqual(folder?.path, "Gesendet");
        assert.deepInclude(folder?.status, { total: 2, unread: 0 });
        assert.notInclude(paths, "Sent");
      }),
    );
  });
});
