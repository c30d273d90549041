import { assert, layer } from "@effect/vitest";
import type { AccountId } from "@postern/core/shared";
import { MailboxTree } from "@postern/core/folders";
import { SentFolder } from "@postern/core/send";
import { describeWithDovecot, Dovecot, signedInAccount } from "@postern/testkit";
import { Effect, Stream } from "effect";
import { imapOnDovecot } from "./imap-on-dovecot.ts";

/** Nobody else can have put it there, whenever it is. */
const EVER = Number.MAX_SAFE_INTEGER;

const rawOf = (messageId: string) => `Message-ID: ${messageId}\r\nSubject: x\r\n\r\nHi\r\n`;

const keep = Effect.fnUntraced(function* (account: AccountId, messageId: string, absentUntil = 0) {
  const message = Stream.make(new Uint8Array(Buffer.from(rawOf(messageId))));
  yield* (yield* SentFolder).keep(account, messageId, message, absentUntil);
});

const sent = Effect.fnUntraced(function* (account: AccountId) {
  const mailboxes = yield* (yield* MailboxTree).list(account);
  return { paths: mailboxes.map(({ path }) => path), folder: mailboxes.find(({ role }) => role === "sent") };
});

describeWithDovecot("copies of what was sent on Dovecot", () => {
  layer(imapOnDovecot({ sent: "Gesendet" }), { excludeTestServices: true })("where Sent has another name", (it) => {
    it.effect("go there, and nothing called Sent is made", () =>
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

  layer(imapOnDovecot(), { excludeTestServices: true })("where Sent is called so", (it) => {
    it.effect("are left to a server that was seen to make them itself", () =>
      Effect.gen(function* () {
        const { account, credential } = yield* signedInAccount;
        const made = { raw: rawOf("<one@x.test>"), arrivedAt: 1_700_000_000_000 };
        yield* (yield* Dovecot).deliver(credential.username, "Sent", [made]);
        yield* keep(account, "<one@x.test>", EVER);
        // As the server would, by now on a connection that has looked before.
        yield* keep(account, "<two@x.test>");
        yield* keep(account, "<two@x.test>", EVER);
        assert.deepInclude((yield* sent(account)).folder?.status, { total: 2 });
      }),
    );

    it.effect("are not looked for in vain, once the server is known to make none", () =>
      Effect.gen(function* () {
        const { account } = yield* signedInAccount;
        yield* keep(account, "<one@x.test>", EVER);
        yield* keep(account, "<two@x.test>");
        // Whoever says that nobody has made it is believed.
        yield* keep(account, "<two@x.test>", EVER);
        assert.deepInclude((yield* sent(account)).folder?.status, { total: 3 });
      }),
    );
  });
});
