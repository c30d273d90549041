import { queries } from "../api/client.ts";
import { PREFIX } from "../api/prefix.ts";
import { accountUrl } from "../api/signed-in.ts";
import { announce } from "./notifications.ts";

/**
 * Maximum number of streams of other accounts; further accounts are polled. Without HTTP/2, browsers open six
 * connections to a server, and each stream occupies one.
 */
const MAX_STREAMS = 2;

const KINDS = ["email.received", "email.deleted", "email.flags_changed", "gap"] as const;

/** Returns the query key of the inbox of an account, among those of all accounts. */
export const inboxKey = (account: string) => ["inboxes", account] as const;

/**
 * Follows the events of other accounts by one stream each: announces new mail and refetches lists. Returns the function
 * that stops this.
 */
export const followOthers = (accounts: ReadonlyArray<string>): (() => void) => {
  const streams = accounts.slice(0, MAX_STREAMS).map((account) => {
    const stream = new EventSource(accountUrl(`${PREFIX}/api/events`, account));
    const refetch = (): void => void queries.invalidateQueries({ queryKey: inboxKey(account) });
    for (const kind of KINDS) stream.addEventListener(kind, refetch);
    stream.addEventListener("email.received", (event) => announce(account, event));
    return stream;
  });
  return () => {
    for (const stream of streams) stream.close();
  };
};
