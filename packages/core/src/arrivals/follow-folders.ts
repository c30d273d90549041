import { Clock, Duration, Effect, Option } from "effect";
import type { Folders } from "../folders/index.ts";
import { isHidden } from "../folders/neighbours.ts";
import type { MailboxAccessError } from "../mail/index.ts";
import type { AccountWatch, FollowedMailboxes, LiveInboxes, WatchedInbox } from "../watch/index.ts";
import type { FolderId, MailboxKey } from "../shared/neighbours.ts";
import type { FollowedMailbox, HeldChanges, WatchedMailbox } from "../watch/neighbours.ts";
import type { ArrivalSync } from "./ArrivalSync.ts";
import type { WatchLost } from "./errors.ts";
import { type FollowedFolder, INBOX } from "./FollowedFolder.ts";
import type { RoundRest } from "./FolderRound.ts";
import { cursorsOf, isUnchanged, othersIn, textOf } from "./folder-standings.ts";

/** How often all folders are looked at: with a server that announces their changes, and with one that does not. */
const LOOK_EVERY = { announced: Duration.seconds(35), silent: Duration.seconds(20) };
/** How often the folders are listed. */
const LIST_EVERY = Duration.minutes(2);
/** A program that saves a draft again and again is followed at this interval. */
const DRAFTS_EVERY = Duration.seconds(10);
/** How long existing messages are recorded before the next round. */
const RECORDED_FOR = Duration.seconds(1);
/** How long changes wait for a folder that the server does not open, in which a message may be, and how often it is tried. */
const CLOSED = { waits: Duration.minutes(1), again: Duration.seconds(2) };

/** The services that follow the folders of an account. */
export interface FolderServices {
  readonly arrivals: ArrivalSync["Service"];
  readonly folders: Folders["Service"];
  readonly mailboxes: FollowedMailboxes["Service"];
  readonly live: LiveInboxes["Service"];
}

/** The folders that changed, the followed ones that are gone, and whether INBOX is as it was. */
interface Looked {
  readonly found: ReadonlyArray<FollowedFolder>;
  readonly gone: ReadonlyArray<FollowedFolder>;
  readonly isInboxUnchanged: boolean;
}

/** What a look found that found all folders as they were. */
const AS_BEFORE: Looked = { found: [], gone: [], isInboxUnchanged: true };

/** What is left by a look that polled nothing. */
const NOTHING: RoundRest = { held: new Set(), unfinished: new Set(), refused: new Set() };

/**
 * Follows all folders of an account on the connection of its watch (spec 7.11), until that fails. Each round polls the
 * folders that changed, and INBOX last, so that the server announces changes of INBOX afterwards. `works` is called after
 * each round. `catchesUp`: until the folders are at their present state, what came meanwhile is a backfill.
 */
export const followFolders = Effect.fnUntraced(function* (
  { arrivals, folders, mailboxes, live }: FolderServices,
  node: string,
  watch: AccountWatch,
  inbox: WatchedInbox,
  catchesUp: boolean,
  works: Effect.Effect<void>,
): Effect.fn.Return<never, MailboxAccessError | WatchLost> {
  const { account } = watch;
  const lookEvery = Duration.toMillis((yield* inbox.announceAll) ? LOOK_EVERY.announced : LOOK_EVERY.silent);
  const counts = new Map<string, string | null>();
  let others: ReadonlyArray<FollowedFolder> = [];
  /** The mailboxes with messages, those too that the server does not open just now. */
  let present: ReadonlySet<MailboxKey> = new Set();
  /** The ids of the present folders and of followed ones that are gone, as last listed, by their mailboxes. */
  const ids = new Map<MailboxKey, FolderId>();
  let [listAt, lookAt, draftsAt] = [0, 0, 0];
  /** What the server said of all folders, as long as nothing was polled since: a look that finds the same reads nothing. */
  let [said, quiet]: [string, string | undefined] = ["", undefined];
  let isRecorded = false;
  let held: HeldChanges = new Set();
  /** The paths of the folders to poll; null if every folder may have changed. */
  let due: ReadonlySet<string> | null = null;
  let unfinished: ReadonlySet<MailboxKey> = new Set();
  /** Since when the server does not open folders that are followed. */
  const closedSince = new Map<MailboxKey, number>();
  const close = (key: MailboxKey, now: number) => void closedSince.set(key, closedSince.get(key) ?? now);
  const isBrief = (key: MailboxKey, now: number) =>
    now - (closedSince.get(key) ?? now) < Duration.toMillis(CLOSED.waits);
  const brieflyClosed = (now: number) => new Set([...closedSince.keys()].filter((key) => isBrief(key, now)));

  /** Whether Postern is removing a folder, whose messages are in no folder until they were moved. */
  let isRemoving = false;
  const listing: WatchedInbox["folders"] = (expected) =>
    Effect.tap(inbox.folders(expected), (all) => Effect.sync(() => void (isRemoving = all.some(isHidden))));
  const list = Effect.gen(function* () {
    const listed = yield* folders.sync(account, listing);
    others = othersIn(listed.folders);
    present = new Set(listed.records.flatMap(({ key, uidValidity }) => (uidValidity === null ? [] : [key])));
    for (const { id, key } of listed.records) ids.set(key, id);
    listAt = (yield* Clock.currentTimeMillis) + Duration.toMillis(LIST_EVERY);
  });
  yield* list;
  if (Option.isNone(yield* mailboxes.listFollowed(account))) {
    const standings = yield* inbox.standings(others.map(({ path }) => path));
    yield* mailboxes.beginAll(account, cursorsOf(others, standings));
  }

  const goneFolder = (key: MailboxKey): FollowedFolder => ({ id: ids.get(key) ?? (key as string), key, path: "" });

  /** Returns the folders that changed since they were last polled, and those that are gone. */
  const look = Effect.fnUntraced(function* (now: number) {
    const all = yield* inbox.standings(others.map(({ path }) => path));
    said = textOf(all);
    if (said === quiet) return AS_BEFORE;
    const known = Option.getOrElse(
      yield* mailboxes.listFollowed(account),
      () => new Map<MailboxKey, FollowedMailbox>(),
    );
    const standings = new Map(all.map((one) => [one.path, one] as const));
    const ofInbox = standings.get(INBOX.path);
    standings.delete(INBOX.path);
    const isInboxUnchanged = ofInbox !== undefined && isUnchanged(ofInbox, known.get(INBOX.key), null);
    const paths = new Set(others.map(({ path }) => path));
    // A server may announce another name late, or not at all.
    if (paths.size !== standings.size || [...standings.keys()].some((path) => !paths.has(path))) yield* list;
    const opened = new Set(others.flatMap(({ key, path }) => (standings.has(path) ? [key] : [])));
    for (const key of known.keys()) if (key !== INBOX.key && present.has(key) && !opened.has(key)) close(key, now);
    const found = others.filter(({ key, path }) => {
      const standing = standings.get(path);
      if (standing === undefined) return false;
      const hasChanged = !isUnchanged(standing, known.get(key), counts.get(path));
      if (!hasChanged) closedSince.delete(key);
      counts.set(path, standing.counts);
      return hasChanged;
    });
    for (const key of closedSince.keys()) if (!present.has(key)) closedSince.delete(key);
    for (const key of ids.keys()) if (!present.has(key) && !known.has(key)) ids.delete(key);
    const gone = isRemoving ? [] : [...known.keys()].filter((key) => !present.has(key));
    return { found, gone: gone.map(goneFolder), isInboxUnchanged };
  });

  /** The mailbox that is being recorded: it keeps the UIDs that it has yet to read from one round to the next. */
  let recorded: { readonly path: string; readonly mailbox: WatchedMailbox } | undefined;
  const toRecord = (path: string) => {
    if (recorded?.path !== path) recorded = { path, mailbox: inbox.mailbox(path) };
    return recorded.mailbox;
  };

  /** Records messages from before the watch, for about a second; false once all are recorded. */
  const recordNext = Effect.fnUntraced(function* () {
    const known = yield* mailboxes.listFollowed(account);
    const isOpen = ({ key }: FollowedFolder) => Option.exists(known, (all) => (all.get(key)?.seenFrom ?? 1) > 1);
    const open = [INBOX, ...others].filter(isOpen);
    const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(RECORDED_FOR);
    for (const folder of open) {
      const mailbox = folder.id === INBOX.id ? inbox : toRecord(folder.path);
      yield* arrivals.record(node, watch, { folder, mailbox });
      if ((yield* Clock.currentTimeMillis) >= until) break;
    }
    return open.length > 0;
  });

  // A message can change and move without an event until it is recorded: the few of a small account need not wait for a round.
  yield* recordNext();
  for (;;) {
    const begun = yield* Clock.currentTimeMillis;
    const isWhole: boolean = due === null || held.size > 0 || lookAt <= begun;
    const isListed = (due === null && listAt <= begun) || (isWhole && brieflyClosed(begun).size > 0);
    if (isListed) yield* list;
    if (isWhole) lookAt = begun + lookEvery;
    const isHeard = live.startReading(account);
    const looked: Looked = isWhole
      ? yield* look(begun)
      : { found: others.filter(({ path }) => due!.has(path)), gone: [], isInboxUnchanged: false };
    const found: ReadonlyArray<FollowedFolder> = looked.found;
    const waits = ({ id }: FollowedFolder) => id === "drafts" && begun < draftsAt + Duration.toMillis(DRAFTS_EVERY);
    const changed = [
      ...found,
      ...others.filter(({ key }) => unfinished.has(key) && !found.some((one) => one.key === key)),
    ];
    // What waits for a complete round does not wait for a folder that stays closed.
    const isTried = ({ key }: FollowedFolder) => held.size === 0 || isBrief(key, begun);
    const polled = changed.filter((folder) => !waits(folder) && isTried(folder));
    const unread = brieflyClosed(begun);
    if (polled.some(({ id }) => id === "drafts")) draftsAt = begun;
    const read = [
      ...polled.map((folder) => ({ folder, mailbox: inbox.mailbox(folder.path) })),
      { folder: INBOX, mailbox: inbox },
    ];
    const round = { folders: read, gone: looked.gone, held, isWhole, unread, isBehind: catchesUp };
    // INBOX is polled whenever the folders are listed, whatever its server says of it.
    const isQuiet = looked.isInboxUnchanged && !isListed && changed.length + looked.gone.length + held.size === 0;
    quiet = isQuiet ? said : undefined;
    const rest = isQuiet ? NOTHING : yield* arrivals.syncRound(node, watch, round);
    ({ held } = rest);
    for (const { key, path } of polled) {
      if (rest.refused.has(key)) {
        counts.delete(path);
        close(key, begun);
      } else closedSince.delete(key);
    }
    isHeard();
    yield* works;
    const waiting = changed.filter(waits);
    unfinished = new Set([...rest.unfinished, ...waiting.map(({ key }) => key)]);
    due = new Set();
    if (rest.unfinished.size > 0) {
      // `changed` would confirm the polls, and the next one would not repeat the changes that are held.
      if (held.size > 0 && unread.size + rest.refused.size > 0) yield* Effect.sleep(CLOSED.again);
      continue;
    }
    catchesUp = false;
    if (!isQuiet || !isRecorded) isRecorded = !(yield* recordNext());
    if (!isRecorded) continue;
    const now = yield* Clock.currentTimeMillis;
    const next = waiting.length > 0 ? Math.min(lookAt, draftsAt + Duration.toMillis(DRAFTS_EVERY)) : lookAt;
    const heard: Option.Option<ReadonlySet<string> | null> = yield* Effect.timeoutOption(
      inbox.changed,
      Math.max(1, next - now),
    );
    due = Option.getOrElse(heard, () => new Set<string>());
    // A folder with another name is found by the next listing.
    if (due === null) listAt = 0;
    if (listAt <= (yield* Clock.currentTimeMillis)) due = null;
  }
});
