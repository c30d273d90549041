import type { SearchCriteria } from "@postern/core/messages";
import type { ImapFlow, SearchObject } from "imapflow";
import { hasGmailLabels, knownKeywords } from "./labels.ts";

/**
 * Returns the criteria as an IMAP search; undefined if no message can match. Throws for an unknown criterion, because a
 * search that ignores a criterion would match too much; this is a programming error.
 */
export const searchQuery = (client: ImapFlow, criteria: SearchCriteria): SearchObject | undefined => {
  const keys = Object.entries(criteria).map(([name, wanted]) => {
    const key = KEYS[name as keyof SearchCriteria] as ((wanted: unknown) => SearchObject) | undefined;
    if (key === undefined) throw new TypeError(`${name} is no search criterion`);
    return wanted === undefined ? {} : key(wanted);
  });
  const { threadId, related, headers, smaller, label } = criteria;
  if (threadId !== undefined && !canSearchThread(client, threadId)) return undefined;
  // imapflow drops SMALLER 0 and an empty OR, and would match every message.
  if (related?.length === 0 || smaller === 0) return undefined;
  const query: SearchObject = { ...Object.assign({}, ...keys), ...daysOf(criteria) };
  if (label !== undefined) {
    const labelled = labelQuery(client, label);
    if (labelled === undefined) return undefined;
    Object.assign(query, labelled);
  }
  // An object can have only one OR, so a second OR and the terms become a negated OR of their negations.
  const refused = (criteria.terms ?? []).map(({ field, text, isExcluded }) =>
    isExcluded ? KEYS[field](text) : { not: KEYS[field](text) },
  );
  if (related !== undefined && headers !== undefined) refused.push({ not: KEYS.headers(headers) });
  if (refused.length === 0) return query;
  // Courier refuses NOT NOT, which an OR of a single negation would become.
  const [only] = refused;
  const isAlone = refused.length === 1 && only?.not !== undefined;
  return { ...query, not: { or: isAlone ? [only, only] : refused } };
};

/**
 * Returns whether the server can search for a thread: by THREADID (RFC 8474), or by X-GM-THRID with a decimal number.
 */
const canSearchThread = ({ capabilities }: ImapFlow, threadId: string): boolean =>
  capabilities.has("OBJECTID") || (capabilities.has("X-GM-EXT-1") && /^[1-9]\d{0,19}$/.test(threadId));

type Keys = { readonly [K in keyof SearchCriteria]-?: (wanted: NonNullable<SearchCriteria[K]>) => SearchObject };

const KEYS: Keys = {
  from: (from) => ({ from }),
  to: (to) => ({ to }),
  cc: (cc) => ({ cc }),
  subject: (subject) => ({ subject }),
  messageId: (id) => ({ header: { "message-id": id } }),
  headers: (text) => ({ or: [{ from: text }, { to: text }, { cc: text }, { subject: text }] }),
  text: (text) => ({ text }),
  since: () => ({}),
  before: () => ({}),
  arrivedFrom: () => ({}),
  arrivedBefore: () => ({}),
  unread: (unread) => ({ seen: !unread }),
  flagged: (flagged) => ({ flagged }),
  // IMAP has no such key, so the adapter reads the BODYSTRUCTURE of the matches.
  hasAttachments: () => ({}),
  label: () => ({}),
  // imapflow drops a 0, which might leave no search key. Every message is larger than 0 bytes.
  larger: (larger) => (larger === 0 ? {} : { larger }),
  smaller: (smaller) => ({ smaller }),
  threadId: (threadId) => ({ threadId }),
  related: (ids) => ({ or: ids.flatMap(relations) }),
  terms: () => ({}),
};

/**
 * Returns the search for a label: Gmail's own search, elsewhere a search for the keyword (the first, if there are
 * several spellings).
 */
const labelQuery = (client: ImapFlow, label: string): SearchObject | undefined => {
  if (hasGmailLabels(client)) return { labels: { has: [label] } };
  const [keyword] = knownKeywords(client, label);
  return keyword === undefined ? undefined : { keyword };
};

const midnight = (day: string): Date => new Date(`${day}T00:00:00Z`);

/**
 * Returns the days to search. Servers compare days in their own time zone, so a search by times covers one more day on
 * each side, and the adapter reads the times of the matches.
 */
const daysOf = ({ since, before, arrivedFrom, arrivedBefore }: SearchCriteria): SearchObject => {
  const first = [since && midnight(since), arrivedFrom !== undefined && daysAfter(arrivedFrom, -1)];
  const end = [before && midnight(before), arrivedBefore !== undefined && daysAfter(arrivedBefore, 2)];
  const [from] = first.filter((day) => day instanceof Date).toSorted((one, other) => Number(other) - Number(one));
  const [to] = end.filter((day) => day instanceof Date).toSorted((one, other) => Number(one) - Number(other));
  return { ...(from && { since: from }), ...(to && { before: to }) };
};

const DAY = 24 * 60 * 60 * 1000;

/** Returns midnight UTC at the start of the day that is `days` after a time. */
const daysAfter = (time: number, days: number): Date => new Date((Math.floor(time / DAY) + days) * DAY);

const relations = (id: string): ReadonlyArray<SearchObject> => [
  { header: { "message-id": id } },
  { header: { references: id } },
  { header: { "in-reply-to": id } },
];
