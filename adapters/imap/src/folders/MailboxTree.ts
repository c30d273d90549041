import type { AccountId } from "@postern/core/shared";
import { MailboxTree } from "@postern/core/folders";
import { Effect, Layer } from "effect";
import type { ImapFlow } from "imapflow";
import { ImapConnections } from "../session/ImapConnections.ts";
import { connectionLoss } from "../connection/imap-failure.ts";
import type { ImapSettings } from "../connection/ImapOptions.ts";
import {
  inboxMissing,
  isDoubtful,
  isListRefused,
  listMailboxes,
  listInOpenInbox,
} from "../selecting/list-mailboxes.ts";
import { countSessions, isOpenedAfter } from "../session/session-numbers.ts";
import { openMailbox } from "../selecting/open-mailbox.ts";
import { sharedCalls } from "../session/shared-calls.ts";

/** Lists mailboxes with their counts over IMAP (spec 4). Callers that wait for a connection at the same time share one LIST. */
export const layer = (settings: ImapSettings): Layer.Layer<MailboxTree, never, ImapConnections> =>
  Layer.effect(
    MailboxTree,
    Effect.gen(function* () {
      const connections = yield* ImapConnections;
      const scope = yield* Effect.scope;
      const { command: timeout } = settings.timeouts;

      const listAll = Effect.fnUntraced(function* (client: ImapFlow) {
        // Dovecot counts faster while INBOX is open, but reports the open INBOX in the state that this session last
        // saw.
        const listed = yield* listInOpenInbox(client, timeout);
        if (listed !== undefined) return listed;
        yield* Effect.catchTags(openMailbox(client, "INBOX", timeout), {
          FolderNotFound: inboxMissing,
          FolderNotSelectable: inboxMissing,
        });
        return yield* listMailboxes(client, timeout);
      });

      const list = sharedCalls(scope, (account: AccountId, begins, expected: ReadonlyArray<string>) =>
        Effect.suspend(() => {
          const before = countSessions();
          const listed = Effect.fnUntraced(function* (client: ImapFlow) {
            yield* begins;
            const all = yield* Effect.tapError(listAll(client), (error) =>
              isListRefused(error) ? Effect.sync(() => client.close()) : Effect.void,
            );
            if (isOpenedAfter(client, before) || !isDoubtful(client, all, expected)) return all;
            // `hold` lists again in a new session.
            return yield* connectionLoss("list", "the session leaves out mailboxes that were there");
          });
          return Effect.scoped(connections.hold(account, "interactive", "INBOX", listed));
        }),
      );

      return MailboxTree.of({
        list: Effect.fn("MailboxTree.list")((account, expected = []) => list(account, expected)),
      });
    }),
  );
