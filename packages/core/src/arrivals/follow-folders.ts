import { Clock, Duration, Effect, Option } from "effect";
import type { Folders } from "../folders/index.ts";
import { isHidden } from "../folders/neighbours.ts";
import type { MailboxAccessError } from "../mail/index.ts";
import type { AccountWatch, FollowedMailboxes, LiveInboxes, WatchedInbox } from "../watch/index.ts";
import type { StoreUnavailable, Transaction } from "../shared/index.ts";
import type { FolderId, MailboxKey } from "../shared/neighbours.ts";
import type { FollowedMailbox, HeldChanges, WatchedMailbox } from "../watch/neighbours.ts";
import type { ArrivalSync } from "./ArrivalSync.ts";
import type { WatchLost } from "./errors.ts";
import { type FollowedFolder, INBOX } from "./FollowedFolder.ts";
import type { RoundRest } from "./FolderRound.ts";
import { cursorsOf, isUnchanged, othersIn, textOf } from "./folder-standings.ts";

/**
 * The interval between two checks of all folders: `announced` if the server announces their changes; `silent` if the
 * server does not announce them, or does not open a followed folder.
 */
const CHECK_INTERVAL = { announced: Duration.minutes(2), silent: Duration.seconds(20) };
/** The interval between two listings of the folders, each followed by a poll of INBOX. */
const LIST_INTERVAL = { announced: Duration.minutes(10), silent: Duration.minutes(2) };
/** The minimum interval between two polls of Drafts, because programs save a draft again and again. */
const DRAFTS_INTERVAL = Duration.seconds(10);
/** How long existing messages are recorded before the next round. */
const RECORDED_FOR = Duration.seconds(1);
/**
 * How long changes wait for a folder that the server does not open, and the interval between attempts to open it.
 * Changes wait because a moved message may be in this folder.
 */
const CLOSED = { waits: Duration.minutes(1), again: Duration.seconds(2) };

/** The services that follow the folders of an account. */
export interface FolderServices {
  readonly arrivals: ArrivalSync["Service"];
  readonly folders: Folders["Service"];
  readonly mailboxes: FollowedMailboxes["Service"];
  readonly live: LiveInboxes["Service"];
  readonly transaction: Transaction["Service"];
  /** Fails if the watch is lost, for the transactions that store what the connection reports. */
  readonly confirm: Effect.Effect<void, WatchLost | StoreUnavailable>;
}

/** The result of checking all folders: the folders that changed, the followed folders that are gone, and whether INBOX is unchanged. */
interface FolderCheck {
  readonly found: ReadonlyArray<FollowedFolder>;
  readonly gone: ReadonlyArray<FollowedFolder>;
  readonly isInboxUnchanged: boolean;
}

/** The result if all folders are unchanged. */
const UNCHANGED: FolderCheck = { found: [], gone: [], isInboxUnchanged: true };

/** The state after a round that polled nothing. */
const EMPTY_REST: RoundRest = { held: new Set(), unfinished: new Set(), refused: new Set() };

/**
 * Follows all folders of an account on the connection of its watch (spec 7.11), until the connection fails. Each round
 * polls the folders that changed. INBOX is polled last, so that the server announces changes of INBOX afterwards.
 * `onRound` runs after each round. With `catchesUp`, new messages are a backfill until the folders are up to date.
 */
export const followFolders = Effect.fnUntraced(function* (
  { arrivals, folders, mailboxes, live, transaction, confirm }: FolderServices,
  node: string,
  watch: AccountWatch,
  inbox: WatchedInbox,
  catchesUp: boolean,
  onRound: Effect.Effect<void>,
): Effect.fn.Return<never, MailboxAccessError | WatchLost> {
  const { account } = watch;
  const isAnnounced = yield* inbox.announceAll;
  const counts = new Map<string, string | null>();
  let others: ReadonlyArray<FollowedFolder> = [];
  /** The mailboxes that can hold messages, including those that the server does not open at present. */
  let present: ReadonlySet<MailboxKey> = new Set();
  /**
   * The folder ids by mailbox, from the last listing that contained the folder: of present folders, and of followed
   * folders that are gone.
   */
  const ids = new Map<MailboxKey, FolderId>();
  let [listAt, lookAt, draftsAt] = [0, 0, 0];
  /**
   * The last reported state of all folders, and `quiet`, the state at which there was nothing to poll. If both are
   * equal, nothing is read.
   */
  let [said, quiet]: [string, string | undefined] = ["", undefined];
  let isRecorded = false;
  let held: HeldChanges = new Set();
  /** The paths of the folders to poll; null if every folder may have changed. */
  let due: ReadonlySet<string> | null = null;
  let unfinished: ReadonlySet<MailboxKey> = new Set();
  /** The time since when the server has not opened a followed folder. */
  const closedSince = new Map<MailboxKey, number>();
  const close = (key: MailboxKey, now: number) => void closedSince.set(key, closedSince.get(key) ?? now);
  const isBrief = (key: MailboxKey, now: number) =>
    now - (closedSince.get(key) ?? now) < Duration.toMillis(CLOSED.waits);
  const brieflyClosed = (now: number) => new Set([...closedSince.keys()].filter((key) => isBrief(key, now)));

  /**
   * Whether Postern is removing a folder. Until the messages of such a folder are moved, they are in no followed
   * folder.
   */
  let isRemoving = false;
  const listing: WatchedInbox["folders"] = (expected) =>
    Effect.tap(inbox.folders(expected), (all) => Effect.sync(() => void (isRemoving = all.some(isHidden))));
  const list = Effect.gen(function* () {
    const listed = yield* folders.sync(account, listing, confirm);
    others = othersIn(listed.folders);
    present = new Set(listed.records.flatMap(({ key, uidValidity }) => (uidValidity === null ? [] : [key])));
    for (const { id, key } of listed.records) ids.set(key, id);
    listAt =
      (yield* Clock.currentTimeMillis) +
      Duration.toMillis(isAnnounced ? LIST_INTERVAL.announced : LIST_INTERVAL.silent);
  });
  yield* list;
  if (Option.isNone(yield* mailboxes.listFollowed(account))) {
    const standings = yield* inbox.standings(others.map(({ path }) => path));
    yield* transaction.run(Effect.andThen(confirm, mailboxes.beginAll(account, cursorsOf(others, standings))));
  }

  const goneFolder = (key: MailboxKey): FollowedFolder => ({ id: ids.get(key) ?? (key as string), key, path: "" });

  /** Returns the folders that changed since their last poll, and the folders that are gone. */
  const checkFolders = Effect.fnUntraced(function* (now: number) {
    const all = yield* inbox.standings(others.map(({ path }) => path));
    said = textOf(all);
    if (said === quiet) return UNCHANGED;
    const known = Option.getOrElse(
      yield* mailboxes.listFollowed(account),
      () => new Map<MailboxKey, FollowedMailbox>(),
    );
    const standings = new Map(all.map((one) => [one.path, one] as const));
    const ofInbox = standings.get(INBOX.path);
    standings.delete(INBOX.path);
    const isInboxUnchanged = ofInbox !== undefined && isUnchanged(ofInbox, known.get(INBOX.key), null);
    const paths = new Set(others.map(({ path }) => path));
    // A server may announce a renamed folder late, or not at all.
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

  /** The mailbox that is being recorded, with the UIDs that the next rounds have to read. */
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

  // Until a message is recorded, it can change and move without an event. So the messages of a small account are
  // recorded before the first round.
  yield* recordNext();
  for (;;) {
    const begun = yield* Clock.currentTimeMillis;
    const isWhole: boolean = due === null || held.size > 0 || lookAt <= begun;
    const isListed = (due === null && listAt <= begun) || (isWhole && closedSince.size > 0);
    if (isListed) yield* list;
    const confirmRead = live.startReading(account);
    const checked: FolderCheck = isWhole
      ? yield* checkFolders(begun)
      : { found: others.filter(({ path }) => due!.has(path)), gone: [], isInboxUnchanged: false };
    const found: ReadonlyArray<FollowedFolder> = checked.found;
    const waits = ({ id }: FollowedFolder) => id === "drafts" && begun < draftsAt + Duration.toMillis(DRAFTS_INTERVAL);
    const changed = [
      ...found,
      ...others.filter(({ key }) => unfinished.has(key) && !found.some((one) => one.key === key)),
    ];
    // Held changes wait for a round that polls all folders, but not for a folder that stays closed.
    const isTried = ({ key }: FollowedFolder) => held.size === 0 || isBrief(key, begun);
    const polled = changed.filter((folder) => !waits(folder) && isTried(folder));
    const waiting = changed.filter(waits);
    const unread = brieflyClosed(begun);
    if (polled.some(({ id }) => id === "drafts")) draftsAt = begun;
    const read = [
      ...polled.map((folder) => ({ folder, mailbox: inbox.mailbox(folder.path) })),
      { folder: INBOX, mailbox: inbox },
    ];
    const round = {
      folders: read,
      gone: checked.gone,
      present: [INBOX, ...others],
      held,
      isWhole,
      unread,
      isBehind: catchesUp,
    };
    // INBOX is polled after each listing, even if the server reports no change.
    const isQuiet = checked.isInboxUnchanged && !isListed && changed.length + checked.gone.length + held.size === 0;
    quiet = isQuiet ? said : undefined;
    const rest = isQuiet ? EMPTY_REST : yield* arrivals.syncRound(node, watch, round);
    ({ held } = rest);
    for (const { key, path } of polled) {
      // Counts from before this poll prove nothing later: a folder whose counts have returned to them may have changed twice.
      if (!isWhole || rest.refused.has(key)) counts.delete(path);
      if (rest.refused.has(key)) close(key, begun);
      else closedSince.delete(key);
    }
    if (isWhole) {
      const every = isAnnounced && closedSince.size === 0 ? CHECK_INTERVAL.announced : CHECK_INTERVAL.silent;
      lookAt = begun + Duration.toMillis(every);
    }
    confirmRead();
    yield* onRound;
    unfinished = new Set([...rest.unfinished, ...waiting.map(({ key }) => key)]);
    due = new Set();
    if (rest.unfinished.size > 0) {
      // `inbox.changed` would confirm the polls, and the next poll would not repeat the held changes.
      if (held.size > 0 && unread.size + rest.refused.size > 0) yield* Effect.sleep(CLOSED.again);
      continue;
    }
    catchesUp = false;
    if (!isQuiet || !isRecorded) isRecorded = !(yield* recordNext());
    if (!isRecorded) continue;
    const now = yield* Clock.currentTimeMillis;
    const next = waiting.length > 0 ? Math.min(lookAt, draftsAt + Duration.toMillis(DRAFTS_INTERVAL)) : lookAt;
    const heard: Option.Option<ReadonlySet<string> | null> = yield* Effect.timeoutOption(
      inbox.changed,
      Math.max(1, next - now),
    );
    due = Option.getOrElse(heard, () => new Set<string>());
    // A renamed folder is found by the next listing.
    if (due === null) listAt = 0;
    if (listAt <= (yield* Clock.currentTimeMillis)) due = null;
  }
});
