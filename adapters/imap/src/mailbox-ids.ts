import { Effect } from "effect";
import type { ImapFlow, ListResponse } from "imapflow";
import { command } from "./command.ts";
import { statusMailboxId } from "./imapflow-internals.ts";

/** Whether MAILBOXID must be asked for by STATUS: Cyrus 3.6.1 answers LIST-STATUS with uninitialized memory. */
export const saysIdsByStatusOnly = ({ serverInfo }: ImapFlow): boolean => /cyrus/i.test(serverInfo?.name || "");

/** Returns the MAILBOXID of each mailbox by listed name, asked for one by one. */
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
