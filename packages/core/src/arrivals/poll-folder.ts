import { Array, Effect, Option } from "effect";
import type { MailboxAccessError } from "../mail/index.ts";
import type { AccountId, StoreUnavailable } from "../shared/index.ts";
import type { ArrivedMessage, FollowedMailboxes, MovedMessages } from "../watch/index.ts";
import {
  type FollowedMailbox,
  type FolderSync,
  isSameCursor,
  isSameState,
  type MailboxObservation,
  type MailboxSync,
  type MessageMove,
  readLocations,
  syncMailbox,
  type WatchedMailbox,
} from "../watch/neighbours.ts";
import { type FollowedFolder, INBOX } from "./FollowedFolder.ts";
import { findSeen, observeMailbox, readAllSeen } from "./observe-mailbox.ts";

type Mailboxes = FollowedMailboxes["Service"];

/** A folder and its mailbox on the watch's connection. */
export interface ReadFolder {
  readonly folder: FollowedFolder;
  readonly mailbox: WatchedMailbox;
}

/** A folder that was polled. `known` is its state before the poll. */
export interface PolledFolder {
  readonly folder: FollowedFolder;
  readonly known: Option.Option<FollowedMailbox>;
  readonly observed: MailboxObservation<ArrivedMessage>;
  /** Whether there are more arrivals than one poll returns. */
  readonly hasMore: boolean;
  /** Whether the folder no longer exists. */
  readonly isGone?: boolean;
}

/** Polls a folder. In a folder that appeared after all folders began to be followed, every message is an arrival. */
export const pollFolder = Effect.fnUntraced(function* (
  mailboxes: Mailboxes,
  account: AccountId,
  { folder, mailbox }: ReadFolder,
): Effect.fn.Return<PolledFolder, MailboxAccessError> {
  let known = yield* mailboxes.find(account, folder.key);
  if (Option.isNone(known) && folder.id !== INBOX.id) {
    const { cursor } = yield* mailbox.poll(null);
    yield* mailboxes.begin(account, folder.key, { ...cursor, uidNext: 1, highestModSeq: null });
    known = yield* mailboxes.find(account, folder.key);
  }
  const poll = yield* mailbox.poll(Option.getOrNull(Option.map(known, ({ cursor }) => cursor)));
  const observed = yield* observeMailbox(mailboxes, { account, folderId: folder.key }, mailbox, known, poll);
  return { folder, known, observed, hasMore: poll.more === true };
});

/**
 * Returns the poll of a folder that is gone: all its recorded messages left, except those whose move is recorded. None
 * if the folder is not followed.
 */
export const pollGone = Effect.fnUntraced(function* (
  mailboxes: Mailboxes,
  moved: MovedMessages["Service"],
  account: AccountId,
  gone: FollowedFolder,
): Effect.fn.Return<Option.Option<PolledFolder>, StoreUnavailable> {
  const folderId = gone.key;
  const known = yield* mailboxes.find(account, folderId);
  if (Option.isNone(known)) return Option.none();
  const { cursor } = known.value;
  const { uidValidity } = cursor;
  const uids = [...(yield* readAllSeen(mailboxes, { account, folderId })).keys()];
  const { left } = yield* moved.find(account, [{ folderId, uidValidity, uids }]);
  const locate = readLocations(left);
  const vanished = uids.filter((uid) => locate({ folderId, uidValidity, uid }).now.folderId === folderId);
  return Option.some({
    folder: gone,
    known,
    observed: { cursor, arrived: [], vanished, flags: [] },
    hasMore: false,
    isGone: true,
  });
});

/** Polls a folder; none if the folder is gone, or if the server refuses to open it at present. A later round polls it again. */
export const pollIfOpen = (mailboxes: Mailboxes, account: AccountId, read: ReadFolder) =>
  pollFolder(mailboxes, account, read).pipe(
    Effect.asSome,
    Effect.catchIf(
      (error) =>
        error._tag === "MailServerError" &&
        read.folder.id !== INBOX.id &&
        (error.reason === "protocol" || error.reason === "not_permitted"),
      (error) => Effect.as(Effect.logDebug("a folder could not be followed", error), Option.none<PolledFolder>()),
    ),
  );

/** The changes of a polled folder, and its state before the poll. */
export interface PolledSync extends FolderSync {
  readonly known: Option.Option<FollowedMailbox>;
}

/** Returns the changes of a polled folder and locks its row; none if another poll synced the folder first. */
export const syncPolled = Effect.fnUntraced(function* (
  mailboxes: Mailboxes,
  account: AccountId,
  { folder, known: since, observed }: PolledFolder,
) {
  const known = yield* mailboxes.find(account, folder.key);
  if (!isSameState(since, known)) return Option.none();
  const place = { account, folderId: folder.key };
  const sync = syncMailbox(
    Option.isNone(known) ? null : { ...known.value, seen: yield* findSeen(mailboxes, place, known.value, observed) },
    observed,
  );
  const before = Option.match(known, { onNone: () => sync.cursor, onSome: ({ cursor }) => cursor });
  return Option.some<PolledSync>({ id: folder.id, folderId: folder.key, before, sync, known });
});

/** Returns whether a sync has anything to save. */
export const isNews = (known: Option.Option<FollowedMailbox>, sync: MailboxSync): boolean =>
  sync.reset ||
  sync.remember.length + sync.forget.length > 0 ||
  !Option.exists(known, ({ cursor }) => isSameCursor(cursor, sync.cursor));

/** How many messages of a mailbox with a new UIDVALIDITY are recorded in one transaction. */
const RENUMBERED_AT_ONCE = 1_000;

/**
 * Returns the new locations of the recorded messages of a mailbox with a new UIDVALIDITY, in slices. The locations are
 * recorded before the cursor moves: after a crash in between, the next poll finds the same pairs (spec 5.2).
 */
export const renumberedMoves = ({
  folder,
  known,
  observed,
}: PolledFolder): ReadonlyArray<ReadonlyArray<MessageMove>> => {
  if (Option.isNone(known)) return [];
  const at = (uidValidity: number, uid: number) => ({ folderId: folder.key, uidValidity, uid });
  const moves = (observed.renumbered ?? []).map(({ from, now }) => ({
    from: at(known.value.cursor.uidValidity, from),
    now: at(observed.cursor.uidValidity, now),
  }));
  return Array.chunksOf(moves, RENUMBERED_AT_ONCE);
};
