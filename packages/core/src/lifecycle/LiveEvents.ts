import { Clock, Context, Effect, Layer, Metric, Option, Stream } from "effect";
import { AccountDirectory, AccountStanding, Accounts } from "../accounts/index.ts";
import { AccountWatches } from "../watch/index.ts";
import { keepWatched, WatchStarter } from "../watch/neighbours.ts";
import { applicationWatches } from "../webhooks/neighbours.ts";
import type { MailboxAccessError } from "../mail/index.ts";
import { Inbox, Messages } from "../messages/index.ts";
import { type AccountId, type InputInvalid, OpaqueIds, type StoreUnavailable } from "../shared/index.ts";
import { checkerOf, IdScopes } from "../shared/neighbours.ts";
import { RecordId } from "../shared/rules.ts";
import { EventLedger, type MailEvent } from "../events/index.ts";
import { eventTime, type FolderChoice, foldersIn, INBOX_ALONE, isTold } from "../events/neighbours.ts";
import { followAccounts, type Following } from "./follow-accounts.ts";
import {
  type FeedExpired,
  type FeedPart,
  type FeedReader,
  type FeedRequest,
  type KeyReader,
  type NotFollowed,
  readFeed,
} from "./read-feed.ts";
import type { LiveItem } from "./LiveItem.ts";
import { feedFields } from "./rules.ts";
import { streamFeed } from "./stream-feed.ts";
import { type AwaitedMessage, type WaitError, waitForMessage, type WaitRequest } from "./wait-for-message.ts";

/** The number of events read at a time; a stream holds no more in memory. */
const PAGE = 50;
const BEAT_MILLIS = 15_000;
/** How often the session is checked: a stream ends within a second of its session (spec 3). */
const SESSION_EVERY = "700 millis";
const AFTER_FAILURE = "1 second";

/** The start of a stream, after `position`. A client sends `id` to resume there. */
interface Start {
  readonly position: number;
  readonly id: string;
  /** Whether events may be missing at the start. */
  readonly gap: boolean;
}

/** The id of a position whose event is no longer kept: the number itself. */
const POSITION = /^\d{1,15}$/;

const checkAfter = checkerOf({ "last-event-id": RecordId, folders: feedFields.folders });

/** Returns the folders of a stream. */
const chosenIn = (folders: string | undefined): FolderChoice =>
  folders === undefined ? INBOX_ALONE : foldersIn(folders);

const streams = Metric.gauge("event_streams", { description: "Open streams of events" });

/**
 * Streams an account's events as they happen (spec 7). The events come from the ledger, so that a client that
 * reconnects misses no event.
 */
export class LiveEvents extends Context.Service<
  LiveEvents,
  {
    /**
     * Streams the events of an account from now on, or after the event `after`. If that event is no longer kept, the
     * stream begins with a gap, followed by the id of its start. Watches the account meanwhile. `folders` are
     * comma-separated ids, by default `inbox`. Ends once `isAllowed` is false or the account is paused.
     */
    readonly open: (
      account: AccountId,
      after: string | undefined,
      isAllowed: Effect.Effect<boolean, StoreUnavailable>,
      folders?: string,
    ) => Effect.Effect<Stream.Stream<LiveItem>, InputInvalid | MailboxAccessError>;
    /**
     * Streams the events of the accounts that a key reaches, as `open` does. The ids of the items are positions of the
     * feed. Ends once `currentReader` returns none.
     */
    readonly openFeed: (
      after: string | undefined,
      currentReader: Effect.Effect<Option.Option<KeyReader>, StoreUnavailable>,
      folders?: string,
    ) => Effect.Effect<Stream.Stream<LiveItem>, InputInvalid | StoreUnavailable>;
    /** Returns a part of the feed of an account, or of the accounts that a key reaches (spec 7.10). */
    readonly readFeed: <E>(
      request: FeedRequest,
      reader: Effect.Effect<FeedReader, E>,
    ) => Effect.Effect<FeedPart, E | InputInvalid | FeedExpired | NotFollowed | StoreUnavailable>;
    /** Waits for a message to arrive (spec 5.6), at most until `ended` completes. `isAllowed` fails once the caller may no longer read. */
    readonly waitFor: <E>(
      account: AccountId,
      request: WaitRequest,
      isAllowed: Effect.Effect<void, E>,
      ended: Effect.Effect<void>,
    ) => Effect.Effect<AwaitedMessage, E | WaitError>;
    /** Streams the events of all accounts, and watches their mailboxes meanwhile (spec 1.4). */
    readonly follow: (
      following: Following,
    ) => Effect.Effect<Stream.Stream<MailEvent>, InputInvalid | FeedExpired | StoreUnavailable>;
    /** Streams the stored events of an account, the oldest first. */
    readonly kept: (account: AccountId) => Stream.Stream<MailEvent, StoreUnavailable>;
  }
>()("@postern/core/lifecycle/LiveEvents") {
  static readonly layer = Layer.effect(
    LiveEvents,
    Effect.gen(function* () {
      const ledger = yield* EventLedger;
      const watching = yield* WatchStarter;
      const standing = yield* AccountStanding;
      const accounts = yield* Accounts;
      const reached = yield* applicationWatches;
      const ports = { ledger, directory: yield* AccountDirectory, watches: yield* AccountWatches };
      const reading = {
        inbox: yield* Inbox,
        messages: yield* Messages,
        ids: yield* OpaqueIds,
        scopes: yield* IdScopes,
      };
      let open = 0;
      yield* Metric.update(streams, open);

      const begin = Effect.fnUntraced(function* (account: AccountId, after: string | undefined) {
        const last = yield* ledger.lastPosition(account);
        const now: Start = Option.match(yield* ledger.newest(account), {
          onNone: () => ({ position: last, id: String(last), gap: false }),
          onSome: ({ position, event }) => ({ position, id: event.id, gap: false }),
        });
        if (after === undefined) return now;
        const known = yield* ledger.positionOf(account, after);
        if (Option.isSome(known)) return { position: known.value, id: after, gap: false };
        const [oldest] = yield* ledger.after(account, 0, 1);
        if (POSITION.test(after) && Number(after) <= last) {
          const position = Number(after);
          return { position, id: after, gap: (oldest?.position ?? last + 1) > position + 1 };
        }
        const isOlder = oldest !== undefined && Option.exists(eventTime(after), (at) => at <= oldest.event.occurredAt);
        return isOlder ? { position: 0, id: "0", gap: true } : { ...now, gap: true };
      });

      const isServed = (account: AccountId, isAllowed: Effect.Effect<boolean, StoreUnavailable>) =>
        Effect.andThen(standing.checkNotPaused(account), isAllowed).pipe(
          Effect.catchTag("AccountPaused", () => Effect.succeed(false)),
        );

      const awaitRevocation = Effect.fnUntraced(function* (isAllowed: Effect.Effect<boolean, StoreUnavailable>) {
        for (;;) {
          yield* Effect.sleep(SESSION_EVERY);
          // While the store is unavailable, the session counts as live.
          if (!(yield* Effect.orElseSucceed(isAllowed, () => true))) return;
        }
      });

      const counted = Effect.acquireRelease(
        Effect.suspend(() => Metric.update(streams, ++open)),
        () => Metric.update(streams, --open),
      );

      const itemsFrom = (account: AccountId, from: Start, folders: FolderChoice) =>
        Stream.unwrap(
          Effect.gen(function* () {
            const appended = yield* ledger.watchAppends(account);
            yield* Effect.forkScoped(keepWatched(watching.begin(account)));
            yield* counted;
            let { position } = from;
            const next = Effect.gen(function* (): Effect.fn.Return<ReadonlyArray<LiveItem>> {
              // Events that the stream leaves out, and wake-ups without an event, do not delay a heartbeat.
              const beatAt = (yield* Clock.currentTimeMillis) + BEAT_MILLIS;
              for (;;) {
                const entries = yield* Effect.option(ledger.after(account, position, PAGE));
                if (Option.isNone(entries)) {
                  yield* Effect.sleep(AFTER_FAILURE);
                  return [{ _tag: "Heartbeat" }];
                }
                position = entries.value.at(-1)?.position ?? position;
                const told = entries.value.filter(({ event }) => isTold({ events: null, folders }, event));
                if (told.length > 0) return told.map(({ event }) => ({ _tag: "Event", id: event.id, event }));
                const left = beatAt - (yield* Clock.currentTimeMillis);
                if (left > 0 && entries.value.length > 0) continue;
                const woken = left > 0 && Option.isSome(yield* Effect.timeoutOption(appended, left));
                if (!woken) return [{ _tag: "Heartbeat" }];
              }
            });
            const start: LiveItem = { _tag: "Position", id: from.id };
            // A client that disconnects between the gap and the start gets the gap again when it resumes.
            const first: ReadonlyArray<LiveItem> = from.gap ? [{ _tag: "Gap" }, start] : [start];
            return Stream.concat(Stream.fromIterable(first), Stream.fromIterableEffectRepeat(next));
          }),
        );

      return LiveEvents.of({
        readFeed: (request, reader) => readFeed(ports, request, reader),
        waitFor: (account, request, isAllowed, ended) =>
          waitForMessage({ ...ports, ...reading, watching }, account, request, isAllowed, ended),
        follow: (following) => followAccounts(ledger, reached, accounts, following),
        kept: (account) =>
          Stream.paginate(0, (position) =>
            Effect.map(ledger.after(account, position, PAGE), (entries) => {
              const last = entries.length < PAGE ? undefined : entries.at(-1)?.position;
              return [entries.map(({ event }) => event), Option.fromUndefinedOr(last)] as const;
            }),
          ),
        open: Effect.fn("LiveEvents.open")(function* (account, after, isAllowed, folders) {
          yield* checkAfter({ "last-event-id": after, folders });
          yield* watching.begin(account);
          const from = yield* begin(account, after);
          const revoked = awaitRevocation(isServed(account, isAllowed));
          return itemsFrom(account, from, chosenIn(folders)).pipe(Stream.interruptWhen(revoked));
        }),
        openFeed: Effect.fn("LiveEvents.openFeed")(function* (after, currentReader, folders) {
          yield* checkAfter({ "last-event-id": after, folders });
          const items = yield* streamFeed(ports, reached, after, chosenIn(folders), currentReader);
          const revoked = awaitRevocation(Effect.map(currentReader, Option.isSome));
          return Stream.unwrap(Effect.as(counted, items)).pipe(Stream.interruptWhen(revoked));
        }),
      });
    }),
  );
}
