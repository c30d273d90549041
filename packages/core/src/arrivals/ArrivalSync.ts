import { Clock, Context, Duration, Effect, Layer, Metric, Option, Semaphore } from "effect";
import { eventAccount } from "../events/neighbours.ts";
import { eventId, EventPublisher } from "../events/index.ts";
import type { MailboxAccessError, MailboxCursor } from "../mail/index.ts";
import { isCandidate, newParseJob, ParseJobs } from "../bounces/index.ts";
import { type AccountId, Entropy, OpaqueIds, Transaction } from "../shared/index.ts";
import {
  type AccountWatch,
  AccountWatches,
  type ArrivedMessage,
  FollowedMailboxes,
  type KnownMailbox,
  matchFingerprints,
  MovedMessages,
  type WatchedInbox,
  type MailboxSlice,
} from "../watch/index.ts";
import {
  byMailbox,
  type MailboxChange,
  type MailboxObservation,
  type MailboxSync,
  matchReturned,
  readLocations,
  syncMailbox,
} from "../watch/neighbours.ts";
import { arrivalEvent } from "./arrival-events.ts";
import { WatchLost } from "./errors.ts";
import { findSeen, observeInbox } from "./observe-inbox.ts";

const INBOX = { id: "inbox", path: "INBOX" };

type Change = MailboxChange<ArrivedMessage>;

/** How long one slice of recording existing messages takes before the next poll for arrivals. */
const RECORDED_FOR = Duration.seconds(1);

/**
 * How many mailboxes are written concurrently. When many accounts get mail at once, database connections must stay free
 * for other work: a node whose heartbeat waits for a connection loses its watches.
 */
const MAX_CONCURRENT_WRITES = 6;

/** How long a message that left INBOX is remembered, so that its return is recognised. */
export const LEFT_LIFETIME = Duration.days(90);

const announced = Metric.counter("arrival_events_total", {
  description: "Events published about changes in mailboxes",
  incremental: true,
});

/**
 * Updates the known state of an INBOX from the mail server, with one event per change (spec 7). Events and cursor
 * commit together, or not at all if another node has the watch.
 */
export class ArrivalSync extends Context.Service<
  ArrivalSync,
  {
    readonly sync: (
      node: string,
      watch: AccountWatch,
      inbox: WatchedInbox,
    ) => Effect.Effect<void, MailboxAccessError | WatchLost>;
    /** Records messages from before the watch, for about a second; true once all are recorded. */
    readonly record: (
      node: string,
      watch: AccountWatch,
      inbox: WatchedInbox,
    ) => Effect.Effect<boolean, MailboxAccessError | WatchLost>;
  }
>()("@postern/core/arrivals/ArrivalSync") {
  static readonly layer = Layer.effect(
    ArrivalSync,
    Effect.gen(function* () {
      const mailboxes = yield* FollowedMailboxes;
      const watches = yield* AccountWatches;
      const publisher = yield* EventPublisher;
      const jobs = yield* ParseJobs;
      const ids = yield* OpaqueIds;
      const moved = yield* MovedMessages;
      const entropy = yield* Entropy;
      const transaction = yield* Transaction;
      const turn = yield* Semaphore.make(MAX_CONCURRENT_WRITES);
      const write = <A, E, R>(effect: Effect.Effect<A, E, R>) => turn.withPermits(1)(transaction.run(effect));
      yield* Metric.update(announced, 0);

      /** Drops arrivals that Postern itself moved to INBOX. */
      const dropExpected = Effect.fnUntraced(function* (account: AccountId, changes: ReadonlyArray<Change>) {
        const arrivals = changes.flatMap(({ _tag, message }) => (_tag === "Received" ? [message] : []));
        if (arrivals.length === 0) return changes;
        const expected = yield* mailboxes.listExpected(account, INBOX.id, yield* Clock.currentTimeMillis);
        if (expected.length === 0) return changes;
        const { unseen, missing } = matchFingerprints(arrivals, expected);
        const waiting = new Set(missing.map(({ id }) => id));
        const came = expected.flatMap(({ id }) => (waiting.has(id) ? [] : [id]));
        yield* mailboxes.forgetExpected(account, INBOX.id, came);
        const foreign = new Set(unseen.map(({ uid }) => uid));
        return changes.filter(({ _tag, message }) => _tag !== "Received" || foreign.has(message.uid));
      });

      /** Marks returning arrivals, such as a snoozed message, and records the messages that leave INBOX now. */
      const recognise = Effect.fnUntraced(function* (account: AccountId, changes: ReadonlyArray<Change>) {
        const now = yield* Clock.currentTimeMillis;
        const gone = yield* Effect.forEach(
          changes.flatMap(({ _tag, message }) => (_tag === "Deleted" ? [message] : [])),
          ({ emailId, messageId, size, arrivedAt }) =>
            Effect.map(entropy.id(96), (id) => ({
              id,
              emailId,
              messageId,
              size,
              arrivedAt,
              leftAt: now,
            })),
        );
        if (gone.length > 0) yield* mailboxes.recordLeft(account, INBOX.id, gone);
        const sizes = changes.flatMap(({ _tag, message }) => (_tag === "Received" ? [message.size] : []));
        if (sizes.length === 0) return changes;
        const since = now - Duration.toMillis(LEFT_LIFETIME);
        const matched = matchReturned(changes, yield* mailboxes.findLeft(account, INBOX.id, sizes, since));
        if (matched.ids.length > 0) yield* mailboxes.forgetLeft(account, matched.ids);
        return matched.changes;
      });

      const announce = Effect.fnUntraced(function* (
        account: AccountId,
        changes: ReadonlyArray<Change>,
        uidValidityOf: (change: Change) => number,
      ) {
        const now = yield* Clock.currentTimeMillis;
        const of = eventAccount(ids, account);
        const refOf = (change: Change) => {
          const { uid } = change.message;
          return { folderId: INBOX.id, uidValidity: uidValidityOf(change), uid };
        };
        const { left } = yield* moved.find(account, byMailbox(changes.map(refOf)));
        const locate = readLocations(left);
        const events = yield* Effect.forEach(changes, (change) =>
          Effect.map(entropy.id(128), (random) => {
            const { folderId, uidValidity, uid } = locate(refOf(change)).id;
            const [id] = ids.messageIds(account, folderId, uidValidity, [uid]);
            return arrivalEvent(eventId(now, random), of, change, { id: id!, folder: INBOX.path }, now);
          }),
        );
        yield* publisher.publish(events);
        yield* Metric.update(announced, events.length);
      });

      /** Queues possible reports about sent messages for parsing. It uses the same transaction, so that a crash loses none. */
      const queueReports = Effect.fnUntraced(function* (
        account: AccountId,
        uidValidity: number,
        changes: ReadonlyArray<Change>,
      ) {
        const now = yield* Clock.currentTimeMillis;
        const candidates = changes.flatMap((change) =>
          change._tag === "Received" && isCandidate(change.message.fields) ? [change.message] : [],
        );
        if (candidates.length === 0) return;
        const place = (uid: number) => ({ path: INBOX.path, uidValidity, uid });
        yield* jobs.insert(
          candidates.map(({ uid, arrivedAt }) => newParseJob(account, place(uid), arrivedAt, now)),
          now,
        );
      });

      /** Applies an observation. False if the observation is outdated because another poll synced the mailbox first. */
      const apply = Effect.fnUntraced(function* (
        node: string,
        watch: AccountWatch,
        since: Option.Option<Known>,
        observed: MailboxObservation<ArrivedMessage>,
      ) {
        const { account } = watch;
        if (!(yield* watches.holds(watch, node))) return yield* new WatchLost();
        const known = yield* mailboxes.find(account, INBOX.id);
        if (!sameKnown(since, known)) return false;
        const sync = syncMailbox(
          Option.isNone(known)
            ? null
            : { ...known.value, seen: yield* findSeen(mailboxes, account, known.value, observed) },
          observed,
        );
        const changes = yield* dropExpected(account, yield* recognise(account, sync.changes));
        const before = Option.match(known, { onNone: () => sync.cursor, onSome: ({ cursor }) => cursor });
        yield* announce(account, changes, ({ _tag }) =>
          _tag === "Deleted" ? before.uidValidity : sync.cursor.uidValidity,
        );
        yield* queueReports(account, sync.cursor.uidValidity, changes);
        if (isNews(known, sync)) yield* mailboxes.save(account, INBOX.id, sync);
        return true;
      }, write);

      const sync = Effect.fn("ArrivalSync.sync")(function* (node: string, watch: AccountWatch, inbox: WatchedInbox) {
        for (;;) {
          const known = yield* mailboxes.find(watch.account, INBOX.id);
          const poll = yield* inbox.poll(Option.getOrNull(Option.map(known, ({ cursor }) => cursor)));
          const observed = yield* observeInbox(mailboxes, watch.account, inbox, known, poll);
          if ((yield* apply(node, watch, known, observed)) && poll.more !== true) return;
        }
      });

      const record = Effect.fn("ArrivalSync.record")(function* (
        node: string,
        watch: AccountWatch,
        inbox: WatchedInbox,
      ) {
        const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(RECORDED_FOR);
        do {
          const known = yield* mailboxes.find(watch.account, INBOX.id);
          if (Option.isNone(known) || known.value.seenFrom <= 1) return true;
          const slice = yield* inbox.below(known.value.seenFrom);
          // The next poll reports the new UIDVALIDITY.
          if (slice.uidValidity !== known.value.cursor.uidValidity) return false;
          yield* keep(node, watch, known.value, slice);
        } while ((yield* Clock.currentTimeMillis) < until);
        return false;
      });

      const keep = Effect.fnUntraced(function* (node: string, watch: AccountWatch, known: Known, slice: MailboxSlice) {
        const { account } = watch;
        if (!(yield* watches.holds(watch, node))) return yield* new WatchLost();
        const now = yield* mailboxes.find(account, INBOX.id);
        if (!sameKnown(Option.some(known), now)) return;
        const range = { from: slice.from, below: known.seenFrom };
        yield* mailboxes.backfill(account, INBOX.id, range, slice.messages);
      }, write);

      return ArrivalSync.of({ sync, record });
    }),
  );
}

type Known = Omit<KnownMailbox, "seen">;

const sameCursor = (one: MailboxCursor, other: MailboxCursor): boolean =>
  one.uidValidity === other.uidValidity && one.uidNext === other.uidNext && one.highestModSeq === other.highestModSeq;

const sameKnown = (one: Option.Option<Known>, other: Option.Option<Known>): boolean =>
  Option.isNone(one) || Option.isNone(other)
    ? Option.isNone(one) === Option.isNone(other)
    : one.value.seenFrom === other.value.seenFrom && sameCursor(one.value.cursor, other.value.cursor);

/** Whether there is anything to save. */
const isNews = (known: Option.Option<Known>, sync: MailboxSync): boolean =>
  sync.reset ||
  sync.remember.length + sync.forget.length > 0 ||
  !Option.exists(known, ({ cursor }) => sameCursor(cursor, sync.cursor));
