import { MailboxTree } from "@postern/core";
import { Effect, Layer } from "effect";
import type { ImapFlow } from "imapflow";
import { ImapConnections } from "./ImapConnections.ts";
import type { ImapSettings } from "./ImapOptions.ts";
import { listMailboxes, noInbox } from "./list-mailboxes.ts";
import { openMailbox } from "./open-mailbox.ts";

/** Lists mailboxes with their counts over IMAP (decisions 4). */
export const mailboxTree = (settings: ImapSettings): Layer.Layer<MailboxTree, never, ImapConnections> =>
  Layer.effect(
    MailboxTree,
    Effect.gen(function* () {
      const connections = yield* ImapConnections;
      const { command: timeout } = settings.timeouts;

      const listAll = Effect.fnUntraced(function* (client: ImapFlow) {
        // INBOX is open because Dovecot counts faster then, but it counts an open mailbox as last seen by this session.
        yield* Effect.catchTags(openMailbox(client, "INBOX", timeout), {
          FolderNotFound: noInbox,
          FolderNotSelectable: noInbox,
        });
        return yield* listMailboxes(client, timeout);
      });

      return MailboxTree.of({
        list: Effect.fn("MailboxTree.list")((account) =>
          Effect.scoped(connections.hold(account, "interactive", "INBOX", listAll)),
        ),
      });
    }),
  );
