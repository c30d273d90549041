import { type ListedMailbox, MailServerError } from "@postern/core";
import { Effect } from "effect";
import type { ImapFlow } from "imapflow";
import { command } from "./command.ts";
import { connectionLost } from "./imap-failure.ts";
import { isAlive, mailboxIdsOf, prefixOf } from "./imapflow-internals.ts";
import { listedMailboxes } from "./listed-mailboxes.ts";
import { mailboxIdsByStatus, saysIdsByStatusOnly } from "./mailbox-ids.ts";

const QUERY = { statusQuery: { messages: true, unseen: true, uidValidity: true, uidNext: true } };

/** Every mailbox with its counts, by LIST-STATUS where the server has it (decisions 4). */
export const listMailboxes = Effect.fnUntraced(function* (
  client: ImapFlow,
  timeout: number,
): Effect.fn.Return<ReadonlyArray<ListedMailbox>, MailServerError> {
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

const NO_IDS: ReadonlyMap<string, string> = new Map();

export const noInbox = () =>
  new MailServerError({ reason: "protocol", operation: "select", detail: "there is no INBOX" });
