import { Effect } from "effect";
import type { ImapFlow, ListResponse } from "imapflow";
import { command } from "./command.ts";
import { statusMailboxId } from "./imapflow-internals.ts";

/** Cyrus (3.6.1) says what lies about in its memory where LIST-STATUS is asked for MAILBOXID; STATUS it answers well. */
export const saysIdsByStatusOnly = ({ serverInfo }: ImapFlow): boolean => /cyrus/i.test(serverInfo?.name || "");

/** The MAILBOXID of each listed mailbox, asked for one by one, by the name as listed. */
export const mailboxIdsByStatus = Effect.fnUntraced(function* (
  client: ImapFlow,
  entries: ReadonlyArray<ListResponse>,
  timeout: number,
) {
  const ids = new Map<string, string>();
  for (const { path, pathAsListed, status } of entries) {
    if (status?.uidValidity === undefined) continue;
    const id = yield* command(client, "status", timeout, () => statusMailboxId(client, path).then((id) => ({ id })));
    if (id.id !== undefined) ids.set(pathAsListed, id.id);
  }
  return ids;
});
