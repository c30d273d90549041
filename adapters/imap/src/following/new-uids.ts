import type { MailboxCursor, MailServerError } from "@postern/core/mail";
import { Effect } from "effect";
import type { ImapFlow } from "imapflow";
import { searchUids } from "../reading/search-uids.ts";

/** The largest number of UIDs in a range that are fetched without a SEARCH first. */
const FEW = 100;
/** The number of UIDs in the first search. UIDs may have gaps, so each further range is twice as long. */
const FIRST_RANGE = 1_000;

/**
 * Returns the UIDs of new messages, ascending: all, or more than `most`. Reads the UIDs range by range, because after
 * an outage many polls follow each other, and each poll would otherwise list all waiting messages.
 */
export const newUids = Effect.fnUntraced(function* (
  client: ImapFlow,
  since: MailboxCursor,
  { uidNext }: MailboxCursor,
  most: number,
  timeout: number,
): Effect.fn.Return<ReadonlyArray<number>, MailServerError> {
  const count = Math.max(0, uidNext - since.uidNext);
  if (count <= FEW) return Array.from({ length: count }, (_, n) => since.uidNext + n);
  const found: Array<number> = [];
  for (let from = since.uidNext, length = FIRST_RANGE; from < uidNext && found.length <= most; length *= 2) {
    const end = from + length;
    // A server may have assigned UIDs beyond the UIDNEXT that it reported; `*` may match a message before the range.
    const some = yield* searchUids(client, `${from}:${end < uidNext ? end - 1 : "*"}`, timeout);
    for (const uid of some) if (uid >= from) found.push(uid);
    from = end;
  }
  return found;
});
