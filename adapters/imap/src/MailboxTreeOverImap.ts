import { MailboxTree, MailServerError } from "@postern/core";
import { Effect, Layer } from "effect";
import type { ImapFlow } from "imapflow";
import { command } from "./command.ts";
import { connectionLost } from "./imap-failure.ts";
import { ImapConnections } from "./ImapConnections.ts";
import { isAlive, mailboxIdsOf, prefixOf } from "./imapflow-internals.ts";
import type { ImapSettings } from "./ImapOptions.ts";
import { listedMailboxes } from "./listed-mailboxes.ts";
import { mailboxIdsByStatus, saysIdsByStatusOnly } from "./mailbox-ids.ts";
import { openMailbox } from "./open-mailbox.ts";

const QUERY = { statusQuery: { messages: true, unseen: true, uidValidity: true, uidNext: true } };

/** Lists mailboxes with their counts over IMAP, by LIST-STATUS where the server has it (decisions 4). */
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
        const hasIds = client.capabilities.has("OBJECTID");
        const listedIds = hasIds && !saysIdsByStatusOnly(client) ? mailboxIdsOf(client) : NO_IDS;
        const entries = yield* command(client, "list", timeout, () => client.list(QUERY));
        // Where imapflow asks for counts one by one it takes a lost connection for a mailbox without any.
        if (!isAlive(client)) return yield* connectionLost("list");
        // Rows that imapflow cannot read are left out of what it gives back; INBOX is always there.
        if (!entries.some(({ path }) => path === "INBOX")) return yield* noInbox();
        const asked = hasIds && saysIdsByStatusOnly(client);
        const ids = asked ? yield* mailboxIdsByStatus(client, entries, timeout) : listedIds;
        return listedMailboxes(entries, ids, (path) => prefixOf(client, path));
      });

      return MailboxTree.of({
        list: Effect.fn("MailboxTree.list")((account) =>
          Effect.scoped(connections.hold(account, "interactive", "INBOX", listAll)),
        ),
      });
    }),
  );

const NO_IDS: ReadonlyMap<string, string> = new Map();

const noInbox = () => new MailServerError({ reason: "protocol", operation: "select", detail: "there is no INBOX" });
