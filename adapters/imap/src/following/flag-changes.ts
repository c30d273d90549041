import { isIn, type MessageFlags, rangesBelow, type UidRanges } from "@postern/core/watch";
import { Clock, Effect } from "effect";
import type { FetchMessageObject, ImapFlow } from "imapflow";
import { command } from "../connection/command.ts";
import { flagsOf } from "../reading/message-summary.ts";
import type { Announced, KnownMessages } from "./KnownMessages.ts";
import { uidSet } from "../wire/uid-set.ts";

/** The minimum interval at which flags of the newest messages are read without CONDSTORE, in milliseconds. */
const SWEEP_EVERY = 60_000;
/** Maximum numbers of newest and of older messages that a sweep reads. */
const MAX_NEWEST = 500;
const MAX_OLDER = 100;

export type FlagsOfMessage = MessageFlags & { readonly uid: number };

/** Returns the flags of messages. If a modification sequence is given, returns only flags that changed since. */
export const fetchFlags = (
  client: ImapFlow,
  range: string,
  timeout: number,
  { changedSince, uid = true }: { readonly changedSince?: number; readonly uid?: boolean } = {},
) =>
  command(client, "fetch", timeout, async () => {
    const found: Array<FlagsOfMessage> = [];
    const options = { uid, ...(changedSince === undefined ? {} : { changedSince: BigInt(changedSince) }) };
    for await (const row of client.fetch(range, { uid: true, flags: true, labels: true }, options)) {
      if (row.uid > 0 && row.flags !== undefined) found.push(flagsOfMessage(row));
    }
    return found;
  });

/**
 * Reads flags from a server without CONDSTORE: the flags of messages that the server announced as changed. Once a
 * minute, also reads the flags of the newest messages and of a slice of the older ones. So all messages are read in
 * turn.
 */
export const sweepFlags = Effect.fnUntraced(function* (
  client: ImapFlow,
  { positions, uids }: Announced,
  known: KnownMessages,
  timeout: number,
) {
  if (uids.length > 0) known.addFlags(yield* fetchFlags(client, uidSet(uids), timeout));
  const existing = positions.filter((seq) => client.mailbox !== false && seq <= client.mailbox.exists);
  if (existing.length > 0) {
    known.addFlags(yield* fetchFlags(client, uidSet(existing), timeout, { uid: false }));
  }
  const now = yield* Clock.currentTimeMillis;
  if (now - known.sweptAt < SWEEP_EVERY || known.present === undefined) return;
  known.sweptAt = now;
  const newest = lastOf(known.present, MAX_NEWEST);
  if (newest === undefined) return;
  known.addFlags(yield* fetchFlags(client, `${newest}:*`, timeout));
  const older = rangesBelow(known.present, Math.min(newest, known.sweepBelow));
  const from = lastOf(older, MAX_OLDER);
  known.sweepBelow = from === undefined || !isIn(known.present, from) ? Infinity : from;
  if (from !== undefined) known.addFlags(yield* fetchFlags(client, `${from}:${older.at(-1)![1]}`, timeout));
});

/** Returns the lowest of the `count` highest UIDs of ranges. */
const lastOf = (ranges: UidRanges, count: number): number | undefined => {
  let left = count;
  for (let at = ranges.length - 1; at >= 0; at--) {
    const [first, last] = ranges[at]!;
    if (last - first + 1 >= left) return last - left + 1;
    left -= last - first + 1;
  }
  return ranges[0]?.[0];
};

const flagsOfMessage = (row: FetchMessageObject): FlagsOfMessage => {
  const { unread, flagged, answered, labels } = flagsOf(row);
  return { uid: row.uid, unread, flagged, answered, labels };
};
