import { Clock, Effect, Option, Stream } from "effect";
import { type EventFeed, type FolderChoice, isTold } from "../events/neighbours.ts";
import type { EventLedger, MailEvent } from "../events/index.ts";
import type { StoreUnavailable } from "../shared/index.ts";
import { keepWatched } from "../watch/neighbours.ts";
import { type ApplicationWatches, watchNewAccounts, watchReached } from "../webhooks/neighbours.ts";
import { ADDED } from "./follow-accounts.ts";
import type { LiveItem } from "./LiveItem.ts";
import { type FeedPorts, type KeyReader, numberIn, positionAt, readAfter } from "./read-feed.ts";

/** The number of events read at a time; a stream holds no more in memory. */
const PAGE = 50;
const BEAT_MILLIS = 15_000;
const AFTER_FAILURE = "1 second";
const BEAT: ReadonlyArray<LiveItem> = [{ _tag: "Heartbeat" }];
/** The maximum time that a stream waits at its start for the first watches of its accounts. */
const PATIENCE = "10 seconds";

/**
 * Returns the number of a position, or the number of the event with this id; none if the number is unknown or later
 * events are no longer kept.
 */
const numberAfter = Effect.fnUntraced(function* (ledger: EventLedger["Service"], feed: EventFeed, after: string) {
  const [event] = yield* ledger.find([after]);
  if (event !== undefined) return Option.some(yield* ledger.numberOf(event));
  return yield* Effect.option(numberIn(after, feed));
});

/**
 * Streams the feed of the accounts that a key reaches, from now on or after a position or an event (spec 7.9), and
 * watches their mailboxes meanwhile. If later events are no longer kept, begins with a gap at the present. The key's
 * reach is checked at each read; nothing is read while `currentReader` returns none.
 */
export const streamFeed = Effect.fn("streamFeed")(function* (
  ports: FeedPorts,
  watches: ApplicationWatches,
  after: string | undefined,
  folders: FolderChoice,
  currentReader: Effect.Effect<Option.Option<KeyReader>, StoreUnavailable>,
): Effect.fn.Return<Stream.Stream<LiveItem>, StoreUnavailable> {
  const begun = yield* Clock.currentTimeMillis;
  const { ledger } = ports;
  const feed = yield* ledger.numberEvents;
  const known = after === undefined ? Option.some(feed.last) : yield* numberAfter(ledger, feed, after);
  const choice = { isWanted: (event: MailEvent) => isTold({ events: null, folders }, event) };
  const watch = Effect.flatMap(currentReader, (reader) =>
    Option.isNone(reader) ? Effect.void : watchReached(watches, reader.value.reach, begun),
  );
  yield* Effect.ignore(Effect.timeoutOption(watch, PATIENCE));

  let number = Option.getOrElse(known, () => feed.last);
  let shown = number;
  const nextAfter = (appended: Effect.Effect<void>) =>
    Effect.gen(function* (): Effect.fn.Return<ReadonlyArray<LiveItem>> {
      // Appended events of other accounts, and wake-ups without an event, do not delay a beat.
      const beatAt = (yield* Clock.currentTimeMillis) + BEAT_MILLIS;
      for (;;) {
        const look = Effect.gen(function* () {
          const reader = yield* Effect.flatMap(currentReader, Effect.fromOption);
          return yield* readAfter(ports, reader, yield* ledger.numberEvents, number, choice, PAGE);
        });
        const read = yield* Effect.option(look);
        if (Option.isNone(read)) return yield* Effect.as(Effect.sleep(AFTER_FAILURE), BEAT);
        const { found, place, more } = read.value;
        number = place;
        if (found.length > 0) {
          shown = found.at(-1)!.position;
          const added = found.filter(({ event }) => event.type === ADDED).map(({ event }) => event.account);
          yield* Effect.ignore(watchNewAccounts(watches, added, begun));
          return found.map(({ position, event }) => ({ _tag: "Event", id: positionAt(feed, position), event }));
        }
        const left = beatAt - (yield* Clock.currentTimeMillis);
        if (left > 0 && (more || Option.isSome(yield* Effect.timeoutOption(appended, left)))) continue;
        if (shown === number) return BEAT;
        // Without this item, a client that resumes would read past the events of other accounts again, or would lose
        // its position once these events are deleted.
        shown = number;
        return [{ _tag: "Position", id: positionAt(feed, number) }];
      }
    });

  const start: LiveItem = { _tag: "Position", id: positionAt(feed, number) };
  const first: ReadonlyArray<LiveItem> = Option.isNone(known) ? [{ _tag: "Gap" }, start] : [start];
  return Stream.unwrap(
    Effect.gen(function* () {
      const appended = yield* ledger.watchAppends(null);
      // The first attempt may have been cut off.
      yield* Effect.forkScoped(Effect.andThen(Effect.ignore(watch), keepWatched(watch)));
      return Stream.concat(Stream.fromIterable(first), Stream.fromIterableEffectRepeat(nextAfter(appended)));
    }),
  );
});
