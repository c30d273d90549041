import { Effect, Layer, Option } from "effect";
import { TestClock } from "effect/testing";
import { ArrivalSync } from "../../src/arrivals/ArrivalSync.ts";
import { EventPublisher } from "../../src/events/index.ts";
import { type ParseJob, ParseJobs } from "../../src/bounces/index.ts";
import { Folders, MailboxChanges } from "../../src/folders/index.ts";
import type { MailboxCursor } from "../../src/mail/index.ts";
import { MessageChanges } from "../../src/messages/index.ts";
import { OutgoingJournal } from "../../src/send/index.ts";
import { AccountId } from "../../src/shared/index.ts";
import {
  AccountWatches,
  type ArrivedMessage,
  type ExpectedMessage,
  FollowedMailboxes,
  type InboxPoll,
  type KnownMailbox,
  LiveInboxes,
  type LeftMessage,
  type MailboxSlice,
  MovedMessages,
  OwnMoves,
  SenderBlocks,
  type SeenMessage,
  type WatchedInbox,
} from "../../src/watch/index.ts";
import type { LeftLocation } from "../../src/watch/ports/MovedMessages.ts";
import { noTransaction, numberedIds, readableIds } from "../doubles.ts";

declare const TextDecoder: new () => { decode(bytes: Uint8Array): string };

export const ME = AccountId("me@postern.test");
export const NOW = 1_900_000_000_000;

export const message = (uid: number, over: Partial<ArrivedMessage> = {}): ArrivedMessage => ({
  uid,
  emailId: null,
  messageId: `<${uid}@x.test>`,
  size: 100 + uid,
  arrivedAt: NOW,
  unread: true,
  flagged: false,
  answered: false,
  labels: [],
  fields: [],
  summary: null,
  ...over,
});

export const seenOf = ({
  uid,
  emailId,
  messageId,
  size,
  arrivedAt,
  unread,
  flagged,
  answered,
  labels,
}: ArrivedMessage): SeenMessage => ({ uid, emailId, messageId, size, arrivedAt, unread, flagged, answered, labels });

export const cursorAt = (uidNext: number, uidValidity = 7, highestModSeq: number | null = null): MailboxCursor => ({
  uidValidity,
  uidNext,
  highestModSeq,
});

/** The state that this process has of one account's INBOX, and its writes. */
export const followed = (known: Omit<KnownMailbox, "seen"> | null, seen: ReadonlyArray<SeenMessage> = []) => {
  const state = {
    known,
    seen: new Map(seen.map((one) => [one.uid, one])),
    isHeld: true,
    saves: 0,
    events: Array<any>(),
    jobs: Array<ParseJob>(),
    expected: Array<ExpectedMessage>(),
    left: Array<LeftMessage>(),
    /** The locations that messages left by moves of Postern. */
    moved: Array<LeftLocation>(),
    /** The sizes and the time by which messages that left were searched. */
    searches: Array<readonly [ReadonlyArray<number>, number]>(),
    backfilled: Array<{ readonly from: number; readonly below: number }>(),
  };
  const layer = Layer.mergeAll(
    Layer.mock(FollowedMailboxes, {
      find: () => Effect.sync(() => Option.fromNullishOr(state.known)),
      listSeenFrom: (_, __, uid) =>
        Effect.sync(() =>
          [...state.seen.values()]
            .filter((one) => one.uid >= uid)
            .toSorted((one, other) => one.uid - other.uid)
            .slice(0, 2),
        ),
      findSeen: (_, __, uids) =>
        Effect.sync(
          () => new Map(uids.flatMap((uid) => (state.seen.has(uid) ? [[uid, state.seen.get(uid)!] as const] : []))),
        ),
      backfill: (_, __, range, messages) =>
        Effect.sync(() => {
          state.backfilled.push(range);
          for (const one of messages) state.seen.set(one.uid, one);
          state.known = { ...state.known!, seenFrom: range.from };
        }),
      save: (_, __, { cursor, seenFrom, reset, remember, forget }) =>
        Effect.sync(() => {
          state.saves++;
          if (reset) state.seen.clear();
          for (const uid of forget) state.seen.delete(uid);
          for (const one of remember) state.seen.set(one.uid, one);
          state.known = { cursor, seenFrom };
        }),
      listExpected: (_, __, now) => Effect.sync(() => state.expected.filter(({ until }) => now < until)),
      forgetExpected: (_, __, ids) =>
        Effect.sync(() => void (state.expected = state.expected.filter(({ id }) => !ids.includes(id)))),
      recordLeft: (_, __, messages) => Effect.sync(() => void state.left.push(...messages)),
      findLeft: (_, __, sizes, since) =>
        Effect.sync(() => {
          state.searches.push([sizes, since]);
          return state.left.filter(({ size, leftAt }) => sizes.includes(size) && leftAt >= since);
        }),
      forgetLeft: (_, ids) => Effect.sync(() => void (state.left = state.left.filter(({ id }) => !ids.includes(id)))),
    }),
    Layer.mock(AccountWatches, {
      isOursAlone: false,
      changed: Effect.never,
      holds: () => Effect.sync(() => state.isHeld),
    }),
    Layer.mock(EventPublisher, {
      publish: (events) =>
        Effect.sync(() => {
          for (const { body } of events) state.events.push(JSON.parse(new TextDecoder().decode(body)));
          return [];
        }),
    }),
    Layer.mock(MovedMessages, {
      find: () => Effect.sync(() => ({ left: state.moved, isMoving: false })),
      settle: (_, moves) =>
        Effect.sync(() => void state.moved.push(...moves.map(({ from, now }) => ({ from, now, id: from })))),
    }),
    Layer.mock(SenderBlocks, { findBlocked: () => Effect.succeed(new Set<string>()) }),
    Layer.mock(MessageChanges, {}),
    Layer.mock(OwnMoves, {}),
    LiveInboxes.layer,
    Layer.mock(Folders, {}),
    Layer.mock(MailboxChanges, {}),
    Layer.mock(OutgoingJournal, { changed: Effect.never, nextDue: Effect.succeedNone }),
    Layer.mock(ParseJobs, {
      insert: (jobs) => Effect.sync(() => void state.jobs.push(...jobs)),
      changed: Effect.never,
      nextDue: Effect.succeedNone,
    }),
    readableIds,
    numberedIds,
    noTransaction,
  );
  return { state, layer };
};

/** An INBOX that answers each poll with the next of these results, and repeats the last one. */
export const inboxOf = (
  polls: ReadonlyArray<InboxPoll>,
  slices: ReadonlyArray<MailboxSlice> = [],
): WatchedInbox & { readonly asked: Array<unknown> } => {
  const asked: Array<unknown> = [];
  const left = [...polls];
  return {
    asked,
    poll: (since) =>
      Effect.sync(() => {
        asked.push(since);
        return left.length > 1 ? left.shift()! : left[0]!;
      }),
    below: (uid) =>
      Effect.sync(() => {
        asked.push(`below ${uid}`);
        return slices.find(({ from }) => from < uid) ?? { uidValidity: 7, from: 1, messages: [] };
      }),
    describe: (uids) => Effect.sync(() => (asked.push(`describe ${uids.join()}`), uids.map((uid) => message(uid)))),
    changed: Effect.never,
    folders: () => Effect.succeed([]),
    announceAll: Effect.succeed(false),
    standings: () => Effect.succeed([]),
    mailbox: () => inboxOf([]),
  };
};

export const WATCH = { account: ME, epoch: 1 };
/** An INBOX that was read up to UID 10 with every message recorded, and a poll without changes. */
export const KNOWN = { cursor: cursorAt(10), seenFrom: 1 };
export const QUIET: Extract<InboxPoll, { readonly vanished: ReadonlyArray<number> }> = {
  cursor: cursorAt(10),
  arrived: [],
  vanished: [],
  flags: [],
};

/** Syncs an INBOX at `NOW`; returns the known state and the writes. */
export const syncOf = (world: ReturnType<typeof followed>, inbox: WatchedInbox, isBehind = false) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(NOW);
    const { sync } = yield* ArrivalSync;
    yield* sync("node", WATCH, inbox, isBehind);
    return world.state;
  }).pipe(Effect.provide(Layer.provide(ArrivalSync.layer, world.layer)));
