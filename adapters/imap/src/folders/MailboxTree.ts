import type { AccountId } from "@postern/core/shared";
import { MailboxTree } from "@postern/core/folders";
import { Effect, Layer } from "effect";
import type { ImapFlow } from "imapflow";
import { ImapConnections } from "../ImapConnections.ts";
import type { ImapSettings } from "../ImapOptions.ts";
import { inboxMissing, listMailboxes, listUnlessNews } from "../list-mailboxes.ts";
import { openMailbox } from "../open-mailbox.ts";
import { sharedCalls } from "../shared-calls.ts";

/** Lists mailboxes with their counts over IMAP (spec 4). Who waits for a connection meanwhile shares one LIST. */
export const layer = (settings: ImapSettings): Layer.Layer<MailboxTree, never, ImapConnections> =>
  Layer.effect(
    MailboxTree,
    Effect.gen(function* () {
      const connections = yield* ImapConnections;
      const scope = yield* Effect.scope;
      const { command: timeout } = settings.timeouts;

      const listAll = Effect.fnUntraced(function* (client: ImapFlow) {
        // INBOX is open because Dovecot counts faster then, but it counts an open mailbox as last seen by this session.
        const listed = yield* listUnlessNews(client, timeout);
        if (listed !== undefined) return listed;
        yield* Effect.catchTags(openMailbox(client, "INBOX", timeout), {
          FolderNotFound: inboxMissing,
          FolderNotSelectable: inboxMissing,
        });
        return yield* listMailboxes(client, timeout);
      });

      const list = sharedCalls(scope, (account: AccountId, begins) =>
        Effect.scoped(
          connections.hold(account, "interactive", "INBOX", (client) => Effect.andThen(begins, listAll(client))),
        ),
      );

      return MailboxTree.of({ list: Effect.fn("MailboxTree.list")(list) });
    }),
  );
