import type { MailboxCursor } from "../mail/index.ts";
import type { MessageRef } from "../shared/index.ts";
import type { FolderId, MailboxKey } from "../shared/neighbours.ts";
import type { ArrivedMessage } from "./ArrivedMessage.ts";
import { changedFlags, flagsOf } from "./changed-flags.ts";
import { locationKey } from "./left-locations.ts";
import { isAlike, pairMoves } from "./match-fingerprints.ts";
import type { SeenIn } from "./ports/FollowedMailboxes.ts";
import type { MailboxChange, MailboxSync } from "./sync-mailbox.ts";

type Change = MailboxChange<ArrivedMessage>;
/** The id of the folder Drafts. */
const DRAFTS = "drafts";

/** The changes that a poll found in one of several folders. */
export interface FolderSync {
  readonly id: FolderId;
  /** The folder's mailbox in locations. */
  readonly folderId: MailboxKey;
  /** The cursor before the poll. */
  readonly before: MailboxCursor;
  readonly sync: MailboxSync<ArrivedMessage>;
}

/** The changes to announce in a folder, and the state to save. */
export interface SettledFolder extends FolderSync {
  readonly changes: ReadonlyArray<Change>;
}

/** The locations of held changes, which wait for another round because a message may have moved. */
export type HeldChanges = ReadonlySet<string>;

/** A message that moved from one folder to another. */
export interface MessageMove {
  readonly from: MessageRef;
  readonly now: MessageRef;
}

/** The changes to announce in all folders. */
export interface SettledRound<Folder extends FolderSync = FolderSync> {
  readonly folders: ReadonlyArray<Folder & SettledFolder>;
  readonly moves: ReadonlyArray<MessageMove>;
  readonly held: HeldChanges;
  /** The mailboxes with held changes, which the next round must poll again. */
  readonly waiting: ReadonlySet<MailboxKey>;
}

/**
 * Pairs arrivals and departures in several folders (spec 7.11). A message that left is announced as deleted once a
 * complete round that began after the departure has not found it. An arrival with a known copy in another folder waits
 * until the other folder is polled again, because the message may have left the other folder. While changes of a folder
 * wait, its cursor stays, so that the next poll finds them again. `isComplete`: every changed folder was polled to its
 * end. `own` maps the keys of present locations to the folders from which Postern moved the messages: an arrival at
 * such a location is a move, even from a removed folder. `isRead` returns whether the round knows which messages left a
 * folder. The result of `isRead` must not depend on arrivals in other folders. Otherwise a folder with more arrivals
 * than one poll returns would wait for itself.
 */
export const settleRound = <Folder extends FolderSync>(
  synced: ReadonlyArray<Folder>,
  alike: ReadonlyArray<SeenIn>,
  held: HeldChanges,
  isComplete: boolean,
  own: ReadonlyMap<string, MailboxKey> = new Map(),
  isRead: (folderId: MailboxKey) => boolean = () => isComplete,
): SettledRound<Folder> => {
  const arrivals = synced.flatMap((one) => received(one).map((message) => ({ one, message })));
  const departures = synced.flatMap((one) => deleted(one).map((message) => ({ one, message })));
  const folderOf = new Map<unknown, FolderSync>([...arrivals, ...departures].map(({ one, message }) => [message, one]));
  const pairs = pairMoves(
    arrivals.map(({ message }) => message),
    departures.map(({ message }) => message),
  );
  const paired = new Set(pairs.values());
  const gone = new Set(departures.map(({ one, message }) => `${message.uid} ${one.folderId}`));
  const present = alike.filter(({ folderId, message }) => !gone.has(`${message.uid} ${folderId}`));
  const arrivalsBySize = Map.groupBy(arrivals, ({ message }) => message.size);
  const presentBySize = Map.groupBy(present, ({ message }) => message.size);
  /**
   * Returns the other folders whose polls may also have seen an arrival, because folders are polled one after another.
   */
  const alsoIn = ({ one, message }: (typeof arrivals)[number]) => {
    const seen = (presentBySize.get(message.size) ?? []).map((other) => [other.folderId, other.message] as const);
    const came = (arrivalsBySize.get(message.size) ?? []).map((other) => [other.one.folderId, other.message] as const);
    return [...seen, ...came].flatMap(([folderId, other]) =>
      folderId !== one.folderId && isAlike(other, message) ? [folderId] : [],
    );
  };
  // If two folders have arrivals that wait for each other, neither can be polled to its end.
  const delayed = new Set([...held].map((key) => key.slice(key.lastIndexOf(" ") + 1)));
  const waiting = new Set<unknown>();
  const nextHeld = new Set<string>();
  const waitingFolders = new Set<MailboxKey>();
  const wait = (message: { readonly uid: number }, one: FolderSync, uidValidity: number, isFinal: boolean) => {
    const key = locationKey({ folderId: one.folderId, uidValidity, uid: message.uid });
    // After a change of UIDVALIDITY, the earlier state cannot be kept. Drafts never wait, because they are replaced again and again.
    if (one.sync.reset || one.id === DRAFTS || (isFinal && held.has(key))) return;
    waiting.add(message);
    nextHeld.add(key);
    waitingFolders.add(one.folderId);
  };
  for (const { one, message } of departures) {
    if (!paired.has(message)) wait(message, one, one.before.uidValidity, isComplete);
  }
  for (const arrival of arrivals) {
    const { one, message } = arrival;
    const others = pairs.has(message) ? [] : alsoIn(arrival);
    const isFinal = others.every((folderId) => isRead(folderId) || delayed.has(folderId));
    if (others.length > 0) wait(message, one, one.sync.cursor.uidValidity, isFinal);
  }

  const moves = [...pairs].map(([message, left]) => {
    const [to, from] = [folderOf.get(message)!, folderOf.get(left)!];
    return {
      from: { folderId: from.folderId, uidValidity: from.before.uidValidity, uid: left.uid },
      now: { folderId: to.folderId, uidValidity: to.sync.cursor.uidValidity, uid: message.uid },
    };
  });
  const ownSource = (message: ArrivedMessage) => {
    const { folderId, sync } = folderOf.get(message)!;
    return own.get(locationKey({ folderId, uidValidity: sync.cursor.uidValidity, uid: message.uid }));
  };
  const settle = (change: Change): ReadonlyArray<Change> => {
    if (waiting.has(change.message)) return [];
    if (change._tag === "Deleted") return paired.has(change.message) ? [] : [change];
    const left = change._tag === "Received" ? pairs.get(change.message) : undefined;
    if (left === undefined) {
      const fromFolderId = change._tag === "Received" ? ownSource(change.message) : undefined;
      return fromFolderId === undefined
        ? [change]
        : [{ _tag: "Moved", message: change.message, fromFolderId } as Change];
    }
    const { message } = change as { readonly message: ArrivedMessage };
    const { folderId: fromFolderId } = folderOf.get(left)!;
    const { folderId, sync } = folderOf.get(message)!;
    const changed = changedFlags(left, message);
    // A message that left and returned has another UID, and a listing made in between contains neither, so the return
    // is announced. After a change of UIDVALIDITY, the message never left.
    const isRenumbered = fromFolderId === folderId && sync.reset;
    return [
      ...(isRenumbered ? [] : [{ _tag: "Moved" as const, message, fromFolderId }]),
      ...(changed.length > 0
        ? [{ _tag: "FlagsChanged" as const, message: { ...left, ...flagsOf(message), uid: message.uid }, changed }]
        : []),
    ];
  };
  const settled = synced.map((one) => {
    const waits = new Set(one.sync.changes.flatMap(({ message }) => (waiting.has(message) ? [message.uid] : [])));
    const { remember, forget, cursor } = one.sync;
    return {
      ...one,
      changes: one.sync.changes.flatMap(settle),
      sync: {
        ...one.sync,
        cursor: waits.size > 0 ? one.before : cursor,
        remember: remember.filter(({ uid }) => !waits.has(uid)),
        forget: forget.filter((uid) => !waits.has(uid)),
      },
    };
  });
  return { folders: settled, moves, held: nextHeld, waiting: waitingFolders };
};

const received = ({ sync }: FolderSync) =>
  sync.changes.flatMap((one) => (one._tag === "Received" ? [one.message] : []));

const deleted = ({ sync }: FolderSync) => sync.changes.flatMap((one) => (one._tag === "Deleted" ? [one.message] : []));
