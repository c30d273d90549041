import { Clock, Context, Duration, Effect, Layer, Metric, Option, Semaphore } from "effect";
import { ParseJobs } from "../bounces/index.ts";
import { AccountSettings } from "../accounts/index.ts";
import type { MailboxAccessError } from "../mail/index.ts";
import { type StoreUnavailable, Transaction } from "../shared/index.ts";
import type { MailboxKey } from "../shared/neighbours.ts";
import { type AccountWatch, AccountWatches, FollowedMailboxes, type MailboxSlice } from "../watch/index.ts";
import {
  type FollowedMailbox,
  isSameState,
  type MailboxChange,
  type SettledRound,
  settleRound,
  type WatchedMailbox,
} from "../watch/neighbours.ts";
import {
  announce,
  announcedEvents,
  announcementServices,
  findOwnMoves,
  placeChanges,
  recordMoves,
} from "./announce-changes.ts";
import { BACKFILL_INTERVAL, takeOldest } from "./catch-up.ts";
import { checkHeld } from "./check-held.ts";
import type { WatchLost } from "./errors.ts";
import { type FollowedFolder, INBOX } from "./FollowedFolder.ts";
import type { FolderRound, RoundRest } from "./FolderRound.ts";
import {
  isNews,
  pollGone,
  type PolledFolder,
  type PolledSync,
  type ReadFolder,
  renumberedMoves,
  syncPolled,
} from "./poll-folder.ts";
import { blockingServices, pollUnblocked, pollUnblockedIfOpen } from "./move-blocked.ts";
import { queueReports } from "./queue-reports.ts";
import { recognise, recognitionPorts } from "./recognise-messages.ts";

/** How long existing messages are recorded before the next poll for arrivals. */
const RECORDED_FOR = Duration.seconds(1);

/**
 * The number of mailboxes written concurrently. When many accounts get mail at once, other work must still get database
 * connections. A node whose heartbeat waits for a connection loses its watches.
 */
const MAX_CONCURRENT_WRITES = 6;

/** The default of `BACKFILL_RATE`. */
const DEFAULT_BACKFILL_RATE = 50;

/**
 * Updates the known state of mailboxes from the mail server, with one event per change (spec 7). Events and cursors
 * commit together, or not at all if another node has the watch.
 */
export class ArrivalSync extends Context.Service<
  ArrivalSync,
  {
    /**
     * Updates the state of only INBOX. With `isBehind`, new messages are a backfill, and only `BACKFILL_RATE` of them
     * are announced. Returns false if arrivals are left for the next call.
     */
    readonly sync: (
      node: string,
      watch: AccountWatch,
      inbox: WatchedMailbox,
      isBehind: boolean,
    ) => Effect.Effect<boolean, MailboxAccessError | WatchLost>;
    /** Updates several folders once, and recognises moves between them. */
    readonly syncRound: (
      node: string,
      watch: AccountWatch,
      round: FolderRound,
    ) => Effect.Effect<RoundRest, MailboxAccessError | WatchLost>;
    /** Records messages from before the watch, for about a second; true once all are recorded. */
    readonly record: (
      node: string,
      watch: AccountWatch,
      folder: ReadFolder,
    ) => Effect.Effect<boolean, MailboxAccessError | WatchLost>;
  }
>()("@postern/core/arrivals/ArrivalSync") {
  static readonly layer = Layer.effect(
    ArrivalSync,
    Effect.gen(function* () {
      const mailboxes = yield* FollowedMailboxes;
      const watches = yield* AccountWatches;
      const jobs = yield* ParseJobs;
      const announcement = yield* announcementServices;
      const recognition = yield* recognitionPorts;
      const blocker = yield* blockingServices;
      yield* Metric.update(announcedEvents, 0);
      const { backfillRate = DEFAULT_BACKFILL_RATE } = yield* AccountSettings;
      const transaction = yield* Transaction;
      const turn = yield* Semaphore.make(MAX_CONCURRENT_WRITES);
      const write = <A, E, R>(effect: Effect.Effect<A, E, R>) => turn.withPermits(1)(transaction.run(effect));

      /**
       * Applies polls in one transaction; `decide` derives the changes to announce, and `present` names the folders that
       * messages left.
       */
      const apply = Effect.fnUntraced(function* (
        node: string,
        watch: AccountWatch,
        polled: ReadonlyArray<PolledFolder>,
        isBehind: boolean,
        present: ReadonlyArray<FollowedFolder>,
        decide: (
          synced: ReadonlyArray<PolledSync>,
          isCut: boolean,
        ) => Effect.Effect<SettledRound<PolledSync>, StoreUnavailable>,
      ) {
        const { account } = watch;
        yield* checkHeld(watches, node, watch);
        // All writers lock rows in the same order, which prevents deadlocks.
        const ordered = polled.toSorted((one, other) => (one.folder.key < other.folder.key ? -1 : 1));
        const synced = yield* Effect.forEach(ordered, (one) => syncPolled(mailboxes, account, one));
        const more = new Set(ordered.flatMap(({ folder, hasMore }) => (hasMore ? [folder.key] : [])));
        const gone = new Set(ordered.flatMap(({ folder, isGone }) => (isGone === true ? [folder.key] : [])));
        const all = synced.flatMap(Option.toArray);
        const now = isBehind ? takeOldest(all, more, backfillRate) : { synced: all, left: NONE };
        const isCut = now.left.size > 0;
        const { folders, moves, held, waiting } = yield* decide(now.synced, isCut);
        const own = yield* recordMoves(announcement, account, moves);
        const recognised = yield* Effect.forEach(folders, (one) =>
          Effect.map(recognise(recognition, account, one.id, one.changes), (changes) => ({ ...one, changes })),
        );
        yield* announce(
          announcement,
          account,
          placeChanges(recognised, [...present, ...ordered.map(({ folder }) => folder)]),
          own,
        );
        for (const { folderId, sync, changes, known } of recognised) {
          if (folderId === INBOX.key) yield* queueReports(jobs, account, sync.cursor.uidValidity, changes);
          if (gone.has(folderId) && !waiting.has(folderId)) yield* mailboxes.end(account, folderId);
          else if (isNews(known, sync)) yield* mailboxes.save(account, folderId, sync);
        }
        const isUnfinished = ({ folder, hasMore }: PolledFolder, n: number) =>
          hasMore || Option.isNone(synced[n]!) || waiting.has(folder.key) || now.left.has(folder.key);
        return { held, isCut, unfinished: new Set(ordered.filter(isUnfinished).map(({ folder }) => folder.key)) };
      }, write);

      const recordRenumbered = Effect.fnUntraced(function* (node: string, watch: AccountWatch, polled: PolledFolder) {
        for (const moves of renumberedMoves(polled)) {
          yield* write(
            Effect.gen(function* () {
              yield* checkHeld(watches, node, watch);
              yield* announcement.moved.settle(watch.account, moves, yield* Clock.currentTimeMillis);
            }),
          );
        }
      });

      const sync = Effect.fn("ArrivalSync.sync")(function* (
        node: string,
        watch: AccountWatch,
        inbox: WatchedMailbox,
        isBehind: boolean,
      ) {
        const settleAtOnce = (synced: ReadonlyArray<PolledSync>) =>
          Effect.succeed({
            folders: synced.map((one) => ({ ...one, changes: one.sync.changes })),
            moves: [],
            held: NONE,
            waiting: NONE,
          });
        for (;;) {
          const polled = yield* pollUnblocked(blocker, node, watch, { folder: INBOX, mailbox: inbox });
          yield* recordRenumbered(node, watch, polled);
          const { unfinished, isCut } = yield* apply(node, watch, [polled], isBehind, [], settleAtOnce);
          if (unfinished.size === 0 || isCut) return !isCut;
        }
      });

      const syncRound = Effect.fn("ArrivalSync.syncRound")(function* (
        node: string,
        watch: AccountWatch,
        { folders, gone, present, held, isWhole, isBehind, unread }: FolderRound,
      ) {
        const { account } = watch;
        const found = yield* Effect.forEach(folders, (one) => pollUnblockedIfOpen(blocker, node, watch, one));
        const left = yield* Effect.forEach(gone, (one) => pollGone(mailboxes, announcement.moved, account, one));
        const polled = [...found, ...left].flatMap(Option.toArray);
        for (const one of polled) yield* recordRenumbered(node, watch, one);
        const refused = new Set(folders.flatMap(({ folder }, n) => (Option.isNone(found[n]!) ? [folder.key] : [])));
        const more = new Set(polled.flatMap(({ folder, hasMore }) => (hasMore ? [folder.key] : [])));
        const isRead = (folderId: MailboxKey) =>
          isWhole && !more.has(folderId) && !refused.has(folderId) && !unread.has(folderId);
        const isComplete = isWhole && more.size + refused.size + unread.size === 0;
        const settle = Effect.fnUntraced(function* (synced: ReadonlyArray<PolledSync>, isCut: boolean) {
          const sizes = new Set(synced.flatMap(({ sync }) => sync.changes.flatMap(sizeOfArrival)));
          const alike = sizes.size === 0 ? [] : yield* mailboxes.findAlike(account, [...sizes]);
          const own = yield* findOwnMoves(announcement, account, synced);
          return settleRound(synced, alike, held, isComplete && !isCut, own, isRead);
        });
        const rest = yield* apply(node, watch, polled, isBehind, present, settle);
        if (rest.isCut) yield* Effect.sleep(BACKFILL_INTERVAL);
        return { ...rest, refused };
      });

      const record = Effect.fn("ArrivalSync.record")(function* (
        node: string,
        watch: AccountWatch,
        { folder, mailbox }: ReadFolder,
      ) {
        const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(RECORDED_FOR);
        do {
          const known = yield* mailboxes.find(watch.account, folder.key);
          if (Option.isNone(known) || known.value.seenFrom <= 1) return true;
          const slice = yield* mailbox.below(known.value.seenFrom);
          // The next poll reports the new UIDVALIDITY.
          if (slice.uidValidity !== known.value.cursor.uidValidity) return false;
          yield* keep(node, watch, folder.key, known.value, slice);
        } while ((yield* Clock.currentTimeMillis) < until);
        return false;
      });

      const keep = Effect.fnUntraced(function* (
        node: string,
        watch: AccountWatch,
        folderId: MailboxKey,
        known: FollowedMailbox,
        slice: MailboxSlice,
      ) {
        yield* checkHeld(watches, node, watch);
        const now = yield* mailboxes.find(watch.account, folderId);
        if (!isSameState(Option.some(known), now)) return;
        yield* mailboxes.backfill(watch.account, folderId, { from: slice.from, below: known.seenFrom }, slice.messages);
      }, write);

      return ArrivalSync.of({ sync, syncRound, record });
    }),
  );
}

const NONE: ReadonlySet<MailboxKey> = new Set();
const sizeOfArrival = ({ _tag, message }: MailboxChange): ReadonlyArray<number> =>
  _tag === "Received" ? [message.size] : [];
