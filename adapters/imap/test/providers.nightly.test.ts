import { assert, layer } from "@effect/vitest";
import { MailboxReader, MessageChanges, MessageReader, MessageSearch } from "@postern/core/messages";
import {
  describeWithDovecot,
  findIn,
  crlfLines,
  MailServerControl,
  mailLoginContract,
  messageChangesContract,
  messageSearchContract,
  plainMessage,
  sentFolderContract,
  signedInAccount,
} from "@postern/testkit";
import { Effect } from "effect";
import { imapLike } from "./imap-like.ts";
import { imapThroughProxy } from "./imap-through-proxy.ts";

const TRASH = "Trash";
const ALL = "[Gmail]/All Mail";

const talk = (n: number, ...more: ReadonlyArray<string>) =>
  crlfLines("From: a@example.org", `Message-ID: <t${n}@x>`, `Subject: talk ${n}`, ...more, "", "Text.");

describeWithDovecot("a mail server like", () => {
  const gmail = imapLike("gmail", { all: ALL });
  mailLoginContract("Gmail: MailLogin", gmail);
  messageChangesContract("Gmail: MessageChanges", gmail, { folds: "ascii" });
  messageSearchContract("Gmail: MessageSearch", gmail, { labels: "atoms" });
  layer(gmail, { excludeTestServices: true })("Gmail", (it) => {
    const sizeOf = Effect.fnUntraced(function* (account: Account, path: string) {
      const reader = yield* MailboxReader;
      return (yield* Effect.scoped(reader.view(account, path))).total;
    });

    it.effect("deletes a message for good, although its EXPUNGE only removes a label [S5.3-6]", () =>
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

    it.effect("finds a conversation by X-GM-THRID, and nothing by an id of another kind [S5.2-3]", () =>
      Effect.gen(function* () {
        const { account } = yield* signedInAccount;
        const control = yield* MailServerControl;
        for (let n = 1; n <= 4; n++) yield* control.append(account, "INBOX", plainMessage(`m${n}`));
        const search = yield* MessageSearch;
        const view = (yield* MailboxReader).view(account, "INBOX");
        const listed = yield* Effect.scoped(Effect.flatMap(view, ({ messages }) => messages(1, 4)));
        const threadIds = listed.map(({ threadId }) => threadId ?? assert.fail("no threadId"));
        assert.strictEqual(new Set(threadIds).size, 2);
        assert.deepStrictEqual((yield* findIn(search, account, "INBOX", { threadId: threadIds[0]! }))?.uids, [1, 2, 3]);
        assert.deepStrictEqual((yield* findIn(search, account, "INBOX", { threadId: "T4" }))?.uids, []);
      }),
    );
  });

  const broken = imapThroughProxy({
    response: (line) => line.replace(/(?<=^\* 2 FETCH .*)BODYSTRUCTURE \(/i, "BODYSTRUCTURE ((("),
  });
  layer(broken, { excludeTestServices: true })("Microsoft 365, which sends an unbalanced BODYSTRUCTURE", (it) => {
    it.effect("lists and reads the message with its other properties", () =>
      Effect.gen(function* () {
        const { account } = yield* signedInAccount;
        const control = yield* MailServerControl;
        for (const n of [1, 2, 3]) yield* control.append(account, "INBOX", plainMessage(`m${n}`));
        const { uidValidity, listed } = yield* Effect.scoped(
          Effect.flatMap((yield* MailboxReader).view(account, "INBOX"), (view) =>
            Effect.map(view.messages(1, 3), (listed) => ({ uidValidity: view.uidValidity, listed })),
          ),
        );
        assert.deepStrictEqual(
          listed.map(({ uid, subject }) => [uid, subject]),
          [
            [1, "m1"],
            [2, ""],
            [3, "m3"],
          ],
        );
        const search = yield* MessageSearch;
        const [found] = yield* search.summaries(account, [{ path: "INBOX", uidValidity, uids: [1, 2, 3] }]);
        assert.lengthOf(found!, 3);
        const place = { path: "INBOX", uidValidity, uid: 2 };
        const opened = yield* Effect.scoped((yield* MessageReader).open(account, place));
        assert.isNull(opened.structure);
        assert.include(Buffer.from(opened.header).toString(), "Subject: m2");
      }),
    );
  });

  for (const name of ["outlook", "163"]) {
    const ports = imapLike(name);
    mailLoginContract(`${name}: MailLogin`, ports);
    messageSearchContract(`${name}: MessageSearch`, ports);
    sentFolderContract(`${name}: SentFolder`, ports);
  }

  const yahoo = imapLike("yahoo");
  sentFolderContract("Yahoo: SentFolder", yahoo);
  layer(yahoo, { excludeTestServices: true })("Yahoo, which refuses SEARCH HEADER", (it) => {
    it.effect("finds the messages of a conversation by their envelopes [S5.4-4]", () =>
      Effect.gen(function* () {
        const { account } = yield* signedInAccount;
        const control = yield* MailServerControl;
        yield* control.append(account, "INBOX", talk(1));
        yield* control.append(account, "INBOX", plainMessage("other"));
        yield* control.append(account, "INBOX", talk(2, "References: <t0@x>\r\n <t1@x>"), { flags: ["\\Seen"] });
        yield* control.append(account, "INBOX", talk(3, "In-Reply-To: <t1@x>"));
        const found = yield* findIn(yield* MessageSearch, account, "INBOX", { related: ["<t1@x>"] });
        assert.deepStrictEqual(
          [found?.uids, found?.unread],
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
