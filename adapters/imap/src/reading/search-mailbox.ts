import type { MailServerError } from "@postern/core/mail";
import type { SearchCriteria } from "@postern/core/messages";
import { Array as Arrays, Effect } from "effect";
import type { ImapFlow } from "imapflow";
import { command } from "../connection/command.ts";
import { uidSet } from "../wire/uid-set.ts";
import { attachmentsOf } from "./attachments.ts";
import { searchNewest } from "./search-newest.ts";
import { searchQuery } from "./search-query.ts";
import { findUids } from "./search-uids.ts";

/** The maximum number of messages fetched by one command. */
const AT_ONCE = 500;

/** The number of newest messages that are scanned if the server refuses to search header fields. */
const NEWEST = 500;

/** Returns the UIDs of the messages in the open mailbox that match, ascending. */
export const searchMailbox = Effect.fnUntraced(function* (
  client: ImapFlow,
  criteria: SearchCriteria,
  timeout: number,
): Effect.fn.Return<ReadonlyArray<number>, MailServerError> {
  const query = searchQuery(client, criteria);
  if (query === undefined) return [];
  const hasIds = criteria.related !== undefined || criteria.messageId !== undefined;
  const uids = yield* Effect.catchIf(
    findUids(client, query, timeout),
    ({ reason }) => hasIds && (reason === "busy" || reason === "protocol"),
    () => searchNewestMatching(client, criteria, timeout),
  );
  if (!isAboutRows(criteria)) return uids;
  const { hasAttachments, arrivedFrom = -Infinity, arrivedBefore = Infinity } = criteria;
  const isAboutTime = arrivedFrom > -Infinity || arrivedBefore < Infinity;
  const wanted = { uid: true, bodyStructure: hasAttachments !== undefined, internalDate: isAboutTime };
  const kept: Array<number> = [];
  for (const some of Arrays.chunksOf(uids, AT_ONCE)) {
    const rows = yield* command(client, "fetch", timeout, () => client.fetchAll(uidSet(some), wanted, { uid: true }));
    for (const { uid, bodyStructure, internalDate } of rows) {
      const arrivedAt = internalDate === undefined ? 0 : new Date(internalDate).getTime();
      if (isAboutTime && !(arrivedAt >= arrivedFrom && arrivedAt < arrivedBefore)) continue;
      if (hasAttachments !== undefined && attachmentsOf(bodyStructure).length > 0 !== hasAttachments) continue;
      kept.push(uid);
    }
  }
  return kept.toSorted((one, other) => one - other);
});

/**
 * Returns whether matches must be fetched to filter them, because IMAP can search neither attachments nor times of day.
 */
export const isAboutRows = ({ hasAttachments, arrivedFrom, arrivedBefore }: SearchCriteria): boolean =>
  hasAttachments !== undefined || arrivedFrom !== undefined || arrivedBefore !== undefined;

/** Finds messages by their ids if the server refuses to search header fields. */
const searchNewestMatching = Effect.fnUntraced(function* (client: ImapFlow, criteria: SearchCriteria, timeout: number) {
  const named = yield* searchNewest(client, criteria, NEWEST, timeout);
  const query = searchQuery(client, { ...criteria, related: undefined, messageId: undefined });
  const matches = new Set(query === undefined ? [] : yield* findUids(client, query, timeout));
  return named.filter((uid) => matches.has(uid));
});
