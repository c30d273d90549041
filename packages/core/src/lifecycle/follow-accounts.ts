import { Clock, Effect, Option, Stream } from "effect";
import type { Accounts } from "../accounts/index.ts";
import type { EventLedger, EventType, MailEvent } from "../events/index.ts";
import { type EventFeed, type EventFilter, eventTime, isEventType, KEPT_MILLIS } from "../events/neighbours.ts";
import { type AccountId, InputInvalid } from "../shared/index.ts";
import { keepWatched } from "../watch/neighbours.ts";
import { type ApplicationWatches, watchNewAccounts, watchReached } from "../webhooks/neighbours.ts";
import { feedExpired, numberIn } from "./read-feed.ts";

/** A filter for the events of all accounts. */
export interface Following {
  /** The id of an event, or a position of the feed: the stream starts with the events after it. By default, the stream starts now. */
  readonly after?: string | undefined;
  /** Types of events; by default all. */
  readonly types?: ReadonlyArray<string> | undefined;
  /** Addresses or ids of accounts; by default all. */
  readonly accounts?: ReadonlyArray<string> | undefined;
}

const AFTER_FAILURE = "1 second";
const CHECK_INTERVAL = "15 seconds";
const PAGE = 200;

/** The type of the event after which a new account must be watched. */
export const ADDED: EventType = "account.added";
/** Event types that only a watch of the mailbox produces. */
const MAILBOX_EVENTS = [
  "email.received",
  "email.moved",
  "email.deleted",
  "email.flags_changed",
  "draft.changed",
  "email.bounced",
  "email.complained",
];

/**
 * Returns a stream of the events of all accounts, each at least once; watches their mailboxes while it is open. Fails if
 * events after `after` are no longer kept.
 */
export const followAccounts = Effect.fn("followAccounts")(function* (
  ledger: EventLedger["Service"],
  watches: ApplicationWatches,
  accounts: Accounts["Service"],
  { after, ...wanted }: Following,
) {
  const now = yield* Clock.currentTimeMillis;
  const filter = yield* filterOf(wanted, accounts);
  const feed = yield* ledger.numberEvents;
  let number = after === undefined ? feed.last : yield* numberOf(ledger, feed, after);
  // For a position, the stream begins at the time of the event before the position.
  const before = isPosition(after) ? yield* ledger.listNumbered(number - 1, {}, 1) : [];
  const begun = Option.getOrElse(eventTime(before[0]?.event.id ?? after ?? ""), () => now);
  const isOfMailboxes = filter.types === undefined || filter.types.some((type) => MAILBOX_EVENTS.includes(type));
  const isWanted = (event: MailEvent) => event.standsForMove !== true && (filter.types?.includes(event.type) ?? true);
  const read = isOfMailboxes && filter.types ? { ...filter, types: [...filter.types, ADDED] } : filter;

  const nextAfter = (appended: Effect.Effect<void>) =>
    Effect.gen(function* (): Effect.fn.Return<ReadonlyArray<MailEvent>> {
      const look = Effect.gen(function* () {
        const { last } = yield* ledger.numberEvents;
        return { last, page: yield* ledger.listNumbered(number, read, PAGE) };
      });
      const found = yield* Effect.option(look);
      if (Option.isNone(found)) return yield* Effect.as(Effect.sleep(AFTER_FAILURE), []);
      const { last, page } = found.value;
      number = Math.max(page.at(-1)?.position ?? number, page.length < PAGE ? last : number);
      if (page.length === 0) yield* Effect.timeoutOption(appended, CHECK_INTERVAL);
      if (isOfMailboxes) {
        const added = page.filter(({ event }) => event.type === ADDED).map(({ event }) => event.account);
        yield* Effect.ignore(watchNewAccounts(watches, added, begun));
      }
      return page.map(({ event }) => event).filter(isWanted);
    });
  const events = Stream.unwrap(
    Effect.map(ledger.watchAppends(null), (appended) => Stream.fromIterableEffectRepeat(nextAfter(appended))),
  );
  if (!isOfMailboxes) return events;
  const watch = watchReached(watches, filter.accounts ?? null, begun);
  const watching = Effect.andThen(Effect.ignore(watch), keepWatched(watch));
  return Stream.unwrap(Effect.as(Effect.forkScoped(watching), events));
});

const filterOf = Effect.fnUntraced(function* (
  { types, accounts }: Omit<Following, "after">,
  { idOf }: Accounts["Service"],
): Effect.fn.Return<EventFilter, InputInvalid> {
  const unknown = types?.find((type) => !isEventType(type));
  if (unknown !== undefined) return yield* invalid("types", `${unknown} is no type of event`);
  const ids: Array<AccountId> = [];
  for (const named of accounts ?? []) {
    const id = idOf(named);
    if (Option.isNone(id)) return yield* invalid("accounts", `${named} is neither an address nor an id of an account`);
    ids.push(id.value);
  }
  return { types: types as ReadonlyArray<EventType> | undefined, accounts: accounts && ids };
});

/** Returns whether the text is a position of the feed. Ids of events contain no dot. */
const isPosition = (after: string | undefined): boolean => after?.includes(".") === true;

const numberOf = Effect.fnUntraced(function* (ledger: EventLedger["Service"], feed: EventFeed, id: string) {
  if (isPosition(id)) return yield* numberIn(id, feed);
  const occurredAt = eventTime(id);
  if (Option.isNone(occurredAt)) return yield* invalid("after", "must be the id of an event");
  const oldest = (yield* Clock.currentTimeMillis) - KEPT_MILLIS;
  const number = yield* ledger.numberOf({ id, occurredAt: occurredAt.value });
  if (occurredAt.value < oldest || number < feed.forgotten) return yield* feedExpired(feed);
  return number;
});

const invalid = (field: string, message: string) => new InputInvalid({ errors: [{ field, message }] });
