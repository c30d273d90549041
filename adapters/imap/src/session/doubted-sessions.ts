import type { ImapFlow } from "imapflow";
import { serverAccountOf } from "./server-account.ts";

/** The number of each session, in the order of opening. */
const numbers = new WeakMap<ImapFlow, number>();
let opened = 0;

/** The number of opened sessions when a listing became doubtful, by account and server. */
const doubts = new Map<string, number>();

/** Numbers a session that was just opened. */
export const numberSession = (client: ImapFlow): void => void numbers.set(client, ++opened);

/**
 * Returns whether a listing lacks `expected` paths and comes from a session whose listings are not reliable. Only a
 * session that is opened afterwards lists reliably. After another session renamed a mailbox, Dovecot 2.3 may report a
 * corrupted index of mailboxes in a session with NOTIFY. Sessions that opened the old index then list only a few
 * mailboxes, without the renamed one.
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
