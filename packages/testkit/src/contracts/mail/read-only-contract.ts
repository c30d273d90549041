import { assert, layer } from "@effect/vitest";
import type { AccountId } from "@postern/core/shared";
import { MailServerError } from "@postern/core/mail";
import type { CredentialVault } from "@postern/core/auth";
import { MailboxChanges } from "@postern/core/folders";
import { MailboxReader, MessageChanges } from "@postern/core/messages";
import { Effect, type Layer } from "effect";
import { signedInAccount } from "../../fixtures/mail-account.ts";
import { plainMessage } from "../../fixtures/mail-messages.ts";
import { MailServerControl } from "../../controls/MailServerControl.ts";

/**
 * The contract of every mail server port on a read-only mailbox: the port reports the missing right and changes
 * nothing.
 */
export const readOnlyContract = <E>(
  name: string,
  ports: Layer.Layer<MessageChanges | MailboxChanges | MailboxReader | CredentialVault | MailServerControl, E>,
): void =>
  layer(ports, { excludeTestServices: true })(name, (it) => {
    const messages = (account: AccountId, path: string) =>
      Effect.scoped(
        Effect.gen(function* () {
          const view = yield* (yield* MailboxReader).view(account, path);
          const { uidValidity } = view;
          const shown = yield* view.messages(1, view.total);
          return { uidValidity, shown: shown.map(({ uid, unread, flagged }) => ({ uid, unread, flagged })) };
        }),
      );

    it.effect("refuses each change with not_permitted, and changes nothing [S5.3-7]", () =>
      Effect.gen(function* () {
        const { account } = yield* signedInAccount;
        const control = yield* MailServerControl;
        const changes = yield* MessageChanges;
        const mailboxes = yield* MailboxChanges;
        yield* control.createMailbox(account, "Shelf");
        const uid = yield* control.append(account, "Shelf", plainMessage("there"));
        const other = yield* control.append(account, "INBOX", plainMessage("here"));
        yield* control.makeReadOnly(account, "Shelf");
        const before = { shelf: yield* messages(account, "Shelf"), inbox: yield* messages(account, "INBOX") };
        const shelf = { path: "Shelf", uidValidity: before.shelf.uidValidity };
        const inbox = { path: "INBOX", uidValidity: before.inbox.uidValidity };
        const batch = { mailbox: "Shelf", lastUid: uid, count: 1, copiedFrom: 1 };
        const attempts: Record<string, Effect.Effect<unknown, { readonly _tag: string }>> = {
          "set a flag": changes.setFlags(account, shelf, [uid], { flagged: true }),
          "clear a flag": changes.setFlags(account, shelf, [uid], { answered: false }),
          "add a label": changes.setFlags(account, shelf, [uid], { addLabels: ["Work"] }),
          "mark as read": changes.setFlags(account, shelf, [uid], { unread: false }),
          "move out": changes.move(account, shelf, [uid], "INBOX"),
          "move in": changes.move(account, inbox, [other], "Shelf"),
          destroy: changes.destroy(account, shelf, [uid]),
          "move a batch out": mailboxes.moveBatch(account, batch, "INBOX"),
          "create in it": mailboxes.create(account, "Shelf/Box"),
          rename: mailboxes.rename(account, "Shelf", "Cellar"),
          remove: mailboxes.remove(account, "Shelf"),
        };
        for (const [what, attempt] of Object.entries(attempts)) {
          const exit = yield* Effect.result(attempt);
          const error = exit._tag === "Failure" ? exit.failure : undefined;
          assert.strictEqual(
            error instanceof MailServerError ? error.reason : (error?._tag ?? "done"),
            "not_permitted",
            what,
          );
        }
        assert.deepStrictEqual([...(yield* changes.setFlags(account, shelf, [uid], {}))], [uid]);
        assert.deepStrictEqual(yield* messages(account, "Shelf"), before.shelf);
        assert.deepStrictEqual(yield* messages(account, "INBOX"), before.inbox);
      }),
    );
  });
