import { assert, layer } from "@effect/vitest";
import type { AccountId } from "@postern/core/shared";
import { MailServerError } from "@postern/core/mail";
import type { CredentialVault } from "@postern/core/auth";
import { MailboxChanges, MailboxTree } from "@postern/core/folders";
import { MessageChanges } from "@postern/core/messages";
import { SentFolder } from "@postern/core/send";
import { Effect, type Layer, Stream } from "effect";
import { signedInAccount } from "../../fixtures/mail-account.ts";
import { crlfLines } from "../../fixtures/mail-messages.ts";
import { MailServerControl } from "../../controls/MailServerControl.ts";
import { errorOf } from "../error-of.ts";

/** The quota of an account on the server under test, in bytes. */
export const QUOTA = 10_000;

/**
 * The contract of every mail server port for a full account: the port reports the full account and changes nothing.
 * `copies`: the server moves messages by copying, which needs space until the move is done.
 */
export const overQuotaContract = <E>(
  name: string,
  ports: Layer.Layer<
    MessageChanges | MailboxChanges | MailboxTree | SentFolder | CredentialVault | MailServerControl,
    E
  >,
  { copies = false }: { readonly copies?: boolean } = {},
): void =>
  layer(ports, { excludeTestServices: true })(name, (it) => {
    const message = (messageId: string, size: number) =>
      crlfLines(
        `Message-ID: ${messageId}`,
        "Subject: x",
        "",
        ...Array.from({ length: size / 100 }, () => "x".repeat(98)),
      );
    const keep = Effect.fnUntraced(function* (account: AccountId, messageId: string, size: number) {
      const bytes = new TextEncoder().encode(message(messageId, size));
      yield* (yield* SentFolder).keep(account, messageId, Stream.make(bytes), 0);
    });
    const status = Effect.fnUntraced(function* (account: AccountId, path: string) {
      const listed = yield* (yield* MailboxTree).list(account);
      return listed.find((mailbox) => mailbox.path === path)!.status!;
    });
    const totals = (account: AccountId, ...paths: ReadonlyArray<string>) =>
      Effect.forEach(paths, (path) => Effect.map(status(account, path), ({ total }) => total));
    /** An account whose INBOX has a message that leaves no space for another of its size. */
    const start = Effect.gen(function* () {
      const { account } = yield* signedInAccount;
      const uid = yield* (yield* MailServerControl).append(account, "INBOX", message("<big@x.test>", 8_000));
      const { uidValidity } = yield* status(account, "INBOX");
      return { account, uid, inbox: { path: "INBOX", uidValidity } };
    });
    const refused = Effect.fnUntraced(function* <A, E, R>(attempt: Effect.Effect<A, E, R>) {
      const error = yield* errorOf(attempt);
      assert.strictEqual(error instanceof MailServerError ? error.reason : error, "over_quota");
    });

    it.effect("refuses a copy of a sent message with over_quota, and stores it once there is room", () =>
      Effect.gen(function* () {
        const { account, uid, inbox } = yield* start;
        yield* keep(account, "<small@x.test>", 500);
        yield* refused(keep(account, "<sent@x.test>", 4_000));
        assert.deepStrictEqual(yield* totals(account, "INBOX", "Sent"), [1, 1]);
        yield* (yield* MessageChanges).destroy(account, inbox, [uid]);
        yield* keep(account, "<sent@x.test>", 4_000);
        assert.deepStrictEqual(yield* totals(account, "INBOX", "Sent"), [0, 2]);
      }),
    );

    it.effect("neither loses nor duplicates messages when they are moved", () =>
      Effect.gen(function* () {
        const { account, uid, inbox } = yield* start;
        const changes = yield* MessageChanges;
        const mailboxes = yield* MailboxChanges;
        yield* mailboxes.create(account, "Shelf");
        const batch = { mailbox: "INBOX", lastUid: uid, count: 1, copiedFrom: 1 };
        if (copies) {
          yield* refused(changes.move(account, inbox, [uid], "Shelf"));
          yield* refused(mailboxes.moveBatch(account, batch, "Shelf"));
          assert.deepStrictEqual(yield* totals(account, "INBOX", "Shelf"), [1, 0]);
        } else {
          assert.lengthOf(yield* changes.move(account, inbox, [uid], "Shelf"), 1);
          const back = { ...batch, mailbox: "Shelf" };
          assert.strictEqual((yield* mailboxes.moveBatch(account, back, "INBOX")).length, 1);
          assert.deepStrictEqual(yield* totals(account, "INBOX", "Shelf"), [1, 0]);
        }
      }),
    );

    it.effect("allows everything that needs no room", () =>
      Effect.gen(function* () {
        const { account, uid, inbox } = yield* start;
        const changes = yield* MessageChanges;
        const mailboxes = yield* MailboxChanges;
        yield* mailboxes.create(account, "Shelf");
        yield* mailboxes.rename(account, "Shelf", "Cellar");
        yield* mailboxes.remove(account, "Cellar");
        assert.deepStrictEqual([...(yield* changes.setFlags(account, inbox, [uid], { unread: false }))], [uid]);
        assert.deepStrictEqual([...(yield* changes.destroy(account, inbox, [uid]))], [uid]);
      }),
    );
  });
