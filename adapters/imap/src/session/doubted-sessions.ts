import type { ImapFlow } from "imapflow";
import { serverAccountOf } from "./server-account.ts";

/** The sessions in the order in which they were opened. */
const numbers = new WeakMap<ImapFlow, number>();
let opened = 0;

/** By account and server, how many sessions were opened when a listing came into doubt. */
const doubts = new Map<string, number>();

/** Numbers a session that was just opened. */
export const numberSession = (client: ImapFlow): void => void numbers.set(client, ++opened);

/**
 * Whether a listing leaves out `expected` paths in a session that cannot be believed about that: only one opened afterwards
 * can. After another session renamed a mailbox, Dovecot 2.3 may report a corrupted index of mailboxes in a session with
 * NOTIFY. From then on, the sessions that opened the old index list few mailboxes, and not the renamed one.
 */
export const isDoubtful = (client: ImapFlow, listed: ReadonlySet<string>, expected: ReadonlyArray<string>): boolean => {
  if (!client.capabilities.has("NOTIFY")) return false;
  const key = serverAccountOf(client);
  const since = doubts.get(key);
  const isMissing = expected.some((path) => !listed.has(path));
  if (!isMissing || (since !== undefined && (numbers.get(client) ?? 0) > since)) {
    doubts.delete(key);
    return false;
  }
  if (since === undefined) doubts.set(key, opened);
  return true;
};
