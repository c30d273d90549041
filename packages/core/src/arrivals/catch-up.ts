import { Duration } from "effect";
import type { MailboxKey } from "../shared/neighbours.ts";
import type { ArrivedMessage } from "../watch/index.ts";
import type { MailboxChange } from "../watch/neighbours.ts";
import type { PolledSync } from "./poll-folder.ts";

/** The interval at which `BACKFILL_RATE` arrivals of an account are announced. */
export const BACKFILL_INTERVAL = Duration.seconds(1);

/** The oldest arrivals of several folders, to be announced now. */
interface OldestArrivals {
  readonly synced: ReadonlyArray<PolledSync>;
  /** The mailboxes with arrivals for a later round. Their cursors stay below these arrivals. */
  readonly left: ReadonlySet<MailboxKey>;
}

/**
 * Returns the changes to announce of a backfill, with at most `limit` arrivals: the oldest of all folders, and within a
 * folder in the order of UIDs (spec 7.4). `more` are the folders with arrivals that are not polled yet. Once all polled
 * arrivals of such a folder are taken, no further arrivals are taken, because the next arrival of this folder may be
 * older than those of other folders.
 */
export const takeOldest = (
  synced: ReadonlyArray<PolledSync>,
  more: ReadonlySet<MailboxKey>,
  limit: number,
): OldestArrivals => {
  const arrivals = synced.map(({ folderId, sync }) => ({
    folderId,
    // After a change of UIDVALIDITY, the earlier cursor cannot be kept.
    messages: sync.reset ? [] : sync.changes.flatMap((one) => (one._tag === "Received" ? [one.message] : [])),
    taken: 0,
  }));
  for (let count = 0; count < limit; count++) {
    if (arrivals.some(({ folderId, messages, taken }) => taken === messages.length && more.has(folderId))) break;
    const next = arrivals
      .filter(({ messages, taken }) => taken < messages.length)
      .toSorted((one, other) => one.messages[one.taken]!.arrivedAt - other.messages[other.taken]!.arrivedAt)[0];
    if (next === undefined) break;
    next.taken++;
  }
  const left = new Set(
    arrivals.flatMap(({ folderId, messages, taken }) => (taken < messages.length ? [folderId] : [])),
  );
  return {
    synced: synced.map((one, n) => {
      const { messages, taken } = arrivals[n]!;
      const later = new Set(messages.slice(taken).map(({ uid }) => uid));
      const { sync, before } = one;
      const changes = sync.changes.flatMap((change): ReadonlyArray<MailboxChange<ArrivedMessage>> =>
        change._tag !== "Received"
          ? [change]
          : later.has(change.message.uid)
            ? []
            : [{ ...change, isBackfill: true as const }],
      );
      if (later.size === 0) return { ...one, sync: { ...sync, changes } };
      return {
        ...one,
        sync: {
          ...sync,
          changes,
          cursor: { ...before, uidNext: messages[taken]!.uid },
          remember: sync.remember.filter(({ uid }) => !later.has(uid)),
        },
      };
    }),
    left,
  };
};
