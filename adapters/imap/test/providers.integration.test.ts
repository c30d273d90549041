import { assert, layer } from "@effect/vitest";
import { MailboxReader, MessageChanges, MessageSearch } from "@postern/core/messages";
import {
  describeWithDovecot,
  lines,
  MailServerControl,
  messageChangesContract,
  plainMessage,
  sentFolderContract,
  signedInAccount,
} from "@postern/testkit";
import { Effect } from "effect";
import { imapLike } from "./imap-like.ts";

const TRASH = "Trash";
const ALL = "[Gmail]/All Mail";

const talk = (n: number, ...more: ReadonlyArray<string>) =>
  lines("From: a@example.org", `Message-ID: <t${n}@x>`, `Subject: talk ${n}`, ...more, "", "Text.");

describeWithDovecot("a mail server like", () => {
  const gmail = imapLike("gmail", { all: ALL });
  messageChangesContract("Gmail: MessageChanges", gmail);
  layer(gmail, { excludeTestServices: true })("Gmail", (it) => {
    const sizeOf = Effect.fnUntraced(function* (account: Account, path: string) {
      const reader = yield* MailboxReader;
      return (yield* Effect.scoped(reader.view(account, path))).total;
    });

    it.effect("deletes a message for good, although its EXPUNGE only removes a label", () =>
      Effect.gen(function* () {
        const { account } = yield* signedInAccount;
        const control = yield* MailServerControl;
        const uid = yield* control.append(account, "INBOX", plainMessage("gone"));
        const other = yield* control.append(account, TRASH, plainMessage("other"));
        const { uidValidity } = yield* Effect.scoped((yield* MailboxReader).view(account, "INBOX"));
        const changes = yield* MessageChanges;
        assert.deepStrictEqual([...(yield* changes.destroy(account, { path: "INBOX", uidValidity }, [uid]))], [uid]);
        assert.deepStrictEqual(
          yield* Effect.forEach(["INBOX", ALL, TRASH], (path) => sizeOf(account, path)),
          [0, 0, 1],
        );
        const trash = yield* Effect.scoped((yield* MailboxReader).view(account, TRASH));
        yield* changes.destroy(account, { path: TRASH, uidValidity: trash.uidValidity }, [other]);
        assert.strictEqual(yield* sizeOf(account, TRASH), 0);
      }),
    );

    it.effect("finds a conversation by X-GM-THRID, and nothing by an id of another kind", () =>
      Effect.gen(function* () {
        const { account } = yield* signedInAccount;
        const control = yield* MailServerControl;
        for (let n = 1; n <= 4; n++) yield* control.append(account, "INBOX", plainMessage(`m${n}`));
        const search = yield* MessageSearch;
        const view = (yield* MailboxReader).view(account, "INBOX");
        const listed = yield* Effect.scoped(Effect.flatMap(view, ({ messages }) => messages(1, 4)));
        const threadIds = listed.map(({ threadId }) => threadId ?? assert.fail("no threadId"));
        assert.strictEqual(new Set(threadIds).size, 2);
        assert.deepStrictEqual((yield* search.find(account, "INBOX", { threadId: threadIds[0]! })).uids, [1, 2, 3]);
        assert.deepStrictEqual((yield* search.find(account, "INBOX", { threadId: "T4" })).uids, []);
      }),
    );
  });

  const yahoo = imapLike("yahoo");
  sentFolderContract("Yahoo: SentFolder", yahoo);
  layer(yahoo, { excludeTestServices: true })("Yahoo, which refuses SEARCH HEADER", (it) => {
    it.effect("finds the messages of a conversation by their envelopes", () =>
      Effect.gen(function* () {
        const { account } = yield* signedInAccount;
        const control = yield* MailServerControl;
        yield* control.append(account, "INBOX", talk(1));
        yield* control.append(account, "INBOX", plainMessage("other"));
        yield* control.append(account, "INBOX", talk(2, "References: <t0@x>\r\n <t1@x>"), { flags: ["\\Seen"] });
        yield* control.append(account, "INBOX", talk(3, "In-Reply-To: <t1@x>"));
        const found = yield* (yield* MessageSearch).find(account, "INBOX", { related: ["<t1@x>"] });
        assert.deepStrictEqual(
          [found.uids, found.unread],
          [
            [1, 3, 4],
            [1, 4],
          ],
        );
      }),
    );
  });
});

type Account = Parameters<MailboxReader["Service"]["view"]>[0];
