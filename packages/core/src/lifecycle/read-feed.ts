import { Clock, Duration, Effect, Schema, type Scope } from "effect";
import type { AccountDirectory } from "../accounts/index.ts";
import { EVERY_ACCOUNT, type KeyReach } from "../auth/index.ts";
import type { EventLedger, EventType, LedgerEntry, MailEvent } from "../events/index.ts";
import { type EventFeed, foldersIn, isEventType, isInFeed } from "../events/neighbours.ts";
import { type AccountId, InputInvalid, type StoreUnavailable } from "../shared/index.ts";
import { checkerOf } from "../shared/neighbours.ts";
import type { AccountWatches } from "../watch/index.ts";
import { ledgerOf, reachEntriesOf } from "../webhooks/neighbours.ts";
import { feedFields } from "./rules.ts";

/** A key as the reader of a feed of its application's events and the events of the accounts in its reach. */
export interface KeyReader {
  readonly reach: KeyReach | null;
  readonly application: string;
}

/** The reader of a feed: one account, or a key with all accounts in its reach. */
export type FeedReader = { readonly account: AccountId } | KeyReader;

/** A request for a part of the feed (spec 7.10). */
export interface FeedRequest {
  /** `next` of an earlier part; by default the end of the feed. */
  readonly after?: string | undefined;
  /** Types of events, separated by commas; by default all. */
  readonly types?: string | undefined;
  /** Ids of folders, separated by commas; `*`, the default, means all but Junk and Trash. */
  readonly folders?: string | undefined;
  readonly limit?: number | undefined;
  /** How many seconds to wait for an event if there is none. */
  readonly wait?: number | undefined;
}

/** Events in the order of the feed, and the position after them. */
export interface FeedPart {
  readonly events: ReadonlyArray<MailEvent>;
  readonly next: string;
  /** Whether more events may follow at once. */
  readonly more: boolean;
}

/** The ports from which a feed is read. */
export interface FeedPorts {
  readonly ledger: EventLedger["Service"];
  readonly directory: AccountDirectory["Service"];
  readonly watches: AccountWatches["Service"];
}

/** Events after the position are no longer kept, or the position belongs to another database. `next` is the end of the feed. */
export class FeedExpired extends Schema.TaggedError<FeedExpired>()("FeedExpired", { next: Schema.String }) {
  override get message(): string {
    return "Events after this position are no longer kept: list the mailboxes again, and follow from now on";
  }
}

/** The account is not watched, so its feed would stay empty. */
export class NotFollowed extends Schema.TaggedError<NotFollowed>()("NotFollowed", {}) {}

const LIMIT = 100;
/**
 * The number of events per read, and the maximum number of reads per answer. A key that reaches few of many accounts
 * may get an empty answer although more events follow.
 */
const PAGE = 200;
const MAX_PAGES = 25;

const check = checkerOf(feedFields);
const POSITION = /^([\w-]{1,32})\.(\d{1,15})$/;

/** Returns the position for a number of the feed, as clients store it. */
export const positionAt = ({ epoch }: EventFeed, number: number): string => `${epoch}.${number}`;

/** Returns the error with the end of the feed. */
export const feedExpired = (feed: EventFeed): FeedExpired => new FeedExpired({ next: positionAt(feed, feed.last) });

const invalid = (field: string, message: string) => new InputInvalid({ errors: [{ field, message }] });

const typesIn = (text: string | undefined): Effect.Effect<ReadonlyArray<EventType> | undefined, InputInvalid> => {
  const named = text?.split(",");
  if (named === undefined || named.every(isEventType)) return Effect.succeed(named);
  return Effect.fail(invalid("types", "must be types of events, with commas between them"));
};

/** A filter for the events that a reader wants. */
interface FeedChoice {
  readonly types?: ReadonlyArray<EventType> | undefined;
  readonly isWanted: (event: MailEvent) => boolean;
}

/** Returns the number of a position; fails if events after it are no longer kept. */
export const numberIn = (after: string, feed: EventFeed): Effect.Effect<number, InputInvalid | FeedExpired> => {
  const [, epoch, digits] = POSITION.exec(after) ?? [];
  if (digits === undefined) return Effect.fail(invalid("after", "must be `next` of an earlier answer"));
  const number = Number(digits);
  const isKept = epoch === feed.epoch && number <= feed.last && number >= feed.forgotten;
  return isKept ? Effect.succeed(number) : Effect.fail(feedExpired(feed));
};

/** Returns the events that the reader may see now. */
const selectVisible = Effect.fnUntraced(function* (
  { directory }: FeedPorts,
  reader: FeedReader,
  entries: ReadonlyArray<LedgerEntry>,
) {
  if ("account" in reader) return entries;
  const { reach } = reader;
  const own = ledgerOf(reader.application);
  const reached = new Set<AccountId>();
  for (const account of new Set(entries.map(({ event }) => event.account))) {
    const ways = account === own ? [] : reachEntriesOf(yield* directory.find(account));
    const isReached = reach === null ? ways.includes(EVERY_ACCOUNT) : reach.some((entry) => ways.includes(entry));
    if (account === own || isReached) reached.add(account);
  }
  return entries.filter(({ event }) => reached.has(event.account));
});

/** Returns up to `limit` events after a number, and `place`, the last number that was checked. */
export const readAfter = Effect.fnUntraced(function* (
  ports: FeedPorts,
  reader: FeedReader,
  { last }: EventFeed,
  number: number,
  { types, isWanted }: FeedChoice,
  limit: number,
) {
  const filter = "account" in reader ? { types, accounts: [reader.account] } : { types };
  const found: Array<LedgerEntry> = [];
  let place = number;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const page = yield* ports.ledger.listNumbered(place, filter, PAGE);
    const some = page.filter(({ event }) => isWanted(event));
    found.push(...(yield* selectVisible(ports, reader, some)));
    if (found.length >= limit) break;
    place = page.at(-1)?.position ?? place;
    if (page.length < PAGE) return { found, place: Math.max(place, last), more: false };
  }
  const first = found.slice(0, limit);
  return { found: first, place: found.length < limit ? place : first.at(-1)!.position, more: true };
});

/**
 * Returns a part of the feed; waits if there is no event yet. Checks the reader's rights at each read, so that a
 * deleted key gets no events, and a key with a new reach gets the events of its new accounts.
 */
export const readFeed = Effect.fn("readFeed")(function* <E>(
  ports: FeedPorts,
  request: FeedRequest,
  currentReader: Effect.Effect<FeedReader, E>,
): Effect.fn.Return<FeedPart, E | InputInvalid | FeedExpired | NotFollowed | StoreUnavailable, Scope.Scope> {
  yield* check(request);
  const { after, limit = LIMIT, wait = 0 } = request;
  const folders = foldersIn(request.folders);
  const choice = { types: yield* typesIn(request.types), isWanted: (event: MailEvent) => isInFeed(folders, event) };
  const reader = yield* currentReader;
  const of = "account" in reader ? reader.account : null;
  if (of !== null && !(yield* ports.watches.selectWatched([of])).has(of)) return yield* new NotFollowed();
  const appended = yield* ports.ledger.watchAppends(of);
  const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(Duration.seconds(wait));
  const feed = yield* ports.ledger.numberEvents;
  if (after === undefined) return { events: [], next: positionAt(feed, feed.last), more: false };
  let number = yield* numberIn(after, feed);
  for (let now = feed, by: FeedReader = reader; ;) {
    const { found, place, more } = yield* readAfter(ports, by, now, number, choice, limit);
    const left = until - (yield* Clock.currentTimeMillis);
    if (found.length > 0 || more || left <= 0) {
      return { events: found.map(({ event }) => event), next: positionAt(feed, place), more };
    }
    number = place;
    yield* Effect.timeoutOption(appended, left);
    by = yield* currentReader;
    now = yield* ports.ledger.numberEvents;
  }
}, Effect.scoped);
