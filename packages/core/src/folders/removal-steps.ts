import { Duration, Effect, Option } from "effect";
import { OwnMoves } from "../watch/index.ts";
import type { MoveTarget } from "../watch/neighbours.ts";
import { type ListedMailbox, type MailboxAccessError, MailServerError } from "../mail/index.ts";
import type { AccountId } from "../shared/index.ts";
import { Folders } from "./Folders.ts";
import type { FolderRemoval, RemovalDestination } from "./FolderRemoval.ts";
import type { FolderSnapshot } from "./FolderSnapshot.ts";
import {
  afterVisit,
  completeBatch,
  finish,
  FIRST_ROUND,
  followFolder,
  freePath,
  hasNewSubfolder,
  hiddenMailboxes,
  isRemoved,
  nextRound,
  nextStep,
  recount,
  startBatch,
  startEmptying,
} from "./folder-removal-state.ts";
import { MailboxChanges } from "./ports/MailboxChanges.ts";
import { MailboxTree } from "./ports/MailboxTree.ts";
import { renameMailboxes } from "./rename-mailboxes.ts";
import { renamePlan } from "./rename-plan.ts";

/** The maximum number of attempts to rename a mailbox. */
const MAX_RENAMES = 3;
const RENAME_PAUSE = Duration.millis(300);

/** An attempt at a removal and its progress. */
export interface RemovalAttempt {
  removal: FolderRemoval;
  /** Whether the server has mailboxes that the removal has hidden; undefined if unknown. */
  hides: boolean | undefined;
  /** Saves the removal and keeps the lease; fails if the lease was lost. */
  readonly keep: (next: FolderRemoval) => Effect.Effect<void, MailboxAccessError>;
  /** Ends the attempt like an interruption if the attempt's lease has ended. */
  readonly check: Effect.Effect<void>;
  /** Completes the batches of other removals that copy to this path. */
  readonly completeCopiesTo: (path: string) => Effect.Effect<void, MailboxAccessError>;
}

/** The end of an attempt that did not fail. */
export type RemovalEnd =
  | { readonly _tag: "Removed" }
  /** The removal was given up and the folder renamed back. */
  | { readonly _tag: "Restored"; readonly mailbox: ListedMailbox };

const REMOVED: RemovalEnd = { _tag: "Removed" };

/** The ports and services that the steps of a removal use. */
export const removalPorts = Effect.all({
  tree: MailboxTree,
  changes: MailboxChanges,
  ownMoves: OwnMoves,
  folders: Folders,
});
export type RemovedMailboxes = Effect.Success<typeof removalPorts>;

/** Executes the steps of a removal from where it stopped until it ends. */
export const takeSteps = Effect.fnUntraced(function* (
  on: RemovedMailboxes,
  attempt: RemovalAttempt,
): Effect.fn.Return<RemovalEnd, MailboxAccessError> {
  const { tree, changes } = on;
  const update = (next: FolderRemoval) => {
    attempt.removal = next;
    return attempt.keep(next);
  };
  if (attempt.removal.phase === "finished") return REMOVED;
  const { account } = attempt.removal;
  let listed: ReadonlyArray<ListedMailbox> = [];
  const see = (now: ReadonlyArray<ListedMailbox>) => {
    listed = now;
    attempt.hides = hiddenMailboxes(attempt.removal, now).length > 0;
  };
  const list = Effect.tap(tree.list(account), (now) => Effect.sync(() => see(now)));
  /** Follows the folder to another path; false if it has its path, or is gone. */
  const follow = Effect.fnUntraced(function* (snapshot: FolderSnapshot) {
    const followed = followFolder(attempt.removal, snapshot);
    if (followed === attempt.removal) return false;
    yield* update(followed);
    return true;
  });
  const { destination, phase } = attempt.removal;
  let to: MoveTarget | undefined;
  if (phase === "restoring" || (phase === "emptying" && destination === null)) yield* list;
  else {
    const snapshot = yield* on.folders.sync(account, () => list);
    if (phase === "hiding" && attempt.hides === false) yield* follow(snapshot);
    if (destination !== null) {
      const { id, path, ...there } = yield* destinationOf(on, attempt, destination, snapshot);
      to = there;
      yield* update({ ...attempt.removal, destination: { id, path } });
    }
  }
  if (phase === "emptying") yield* update(recount(attempt.removal, listed));
  let rounds = FIRST_ROUND;
  for (let renames = 0; ;) {
    const { removal } = attempt;
    const step = nextStep(removal, rounds, listed);
    switch (step._tag) {
      case "Hide": {
        if (attempt.hides === false && hasNewSubfolder(removal, listed)) {
          return yield* refusal("rename", "lists a subfolder that was made after the request");
        }
        if (++renames > MAX_RENAMES) return yield* refusal("rename", "did not rename the folder");
        attempt.hides = undefined;
        const removed = listed.filter((mailbox) => isRemoved(removal, mailbox));
        see(yield* rename(on, attempt, removed, removal.path, removal.hiddenPath));
        break;
      }
      case "StartEmptying":
        yield* update(startEmptying(removal, listed));
        break;
      case "Move": {
        const some = yield* moveFrom(on, attempt, update, removedFolderAt(removal, step.from, listed), to!);
        rounds = afterVisit(rounds, step.from, !some);
        break;
      }
      case "List":
        rounds = nextRound(rounds);
        yield* list;
        break;
      case "Remove":
        yield* attempt.check;
        yield* Effect.catchTag(changes.remove(account, step.path), "FolderNotFound", () => Effect.void);
        see(listed.filter(({ path }) => path !== step.path));
        break;
      case "Restore":
        if (++renames > MAX_RENAMES) return yield* refusal("rename", "did not rename the folder back");
        // Another folder may have taken the name.
        if (listed.some(({ path }) => path === removal.hiddenPath)) {
          yield* update({ ...removal, path: freePath(removal.path, listed) });
        }
        see(yield* rename(on, attempt, listed, removal.hiddenPath, attempt.removal.path));
        break;
      case "Restored":
        return { _tag: "Restored", mailbox: listed.find(({ path }) => path === removal.path)! };
      case "Finish":
        // Another request may have renamed the folder before it could be hidden.
        if (removal.phase === "hiding" && (yield* follow(yield* on.folders.sync(account, () => list)))) break;
        yield* update(finish(removal));
        return REMOVED;
    }
  }
});

/** Renames a mailbox with its children; returns the listing afterwards. */
const rename = (
  { tree, changes }: RemovedMailboxes,
  { removal: { account }, check }: RemovalAttempt,
  listed: ReadonlyArray<ListedMailbox>,
  from: string,
  to: string,
) => {
  const checked: typeof changes = {
    ...changes,
    rename: (...names) => Effect.andThen(check, changes.rename(...names)),
  };
  return renameMailboxes(tree, checked, account, renamePlan(listed, from, to)).pipe(
    Effect.catchTag("FolderNotFound", () => tree.list(account)),
    // Some servers refuse to rename a mailbox that another session has open.
    Effect.catchTag(["FolderExists", "FolderNameInvalid"], () => Effect.delay(tree.list(account), RENAME_PAUSE)),
  );
};

const batchOf = ({ changes }: RemovedMailboxes, account: AccountId, mailbox: string, to: string) =>
  Effect.map(
    Effect.catchTag(changes.nextBatch(account, mailbox, to), "FolderNotFound", () => Effect.succeedNone),
    Option.getOrNull,
  );

/**
 * Returns the destination under its current name. Recreates the destination if it was deleted, because the messages
 * must be moved somewhere.
 */
const destinationOf = Effect.fnUntraced(function* (
  { changes, folders: { sync } }: RemovedMailboxes,
  { removal: { account }, check }: RemovalAttempt,
  wanted: RemovalDestination,
  { folders, records }: FolderSnapshot,
) {
  const there =
    folders.find(({ id, selectable }) => id === wanted.id && selectable) ??
    folders.find(({ path, selectable }) => path === wanted.path && selectable);
  if (there !== undefined) {
    return {
      id: there.id,
      key: there.key,
      path: there.path,
      uidNext: records[folders.indexOf(there)]?.uidNext ?? null,
    };
  }
  yield* check;
  yield* changes.create(account, wanted.path).pipe(
    Effect.catchTag("FolderExists", () => Effect.void),
    Effect.catchTag("FolderNameInvalid", () => refusal("create", "did not create the folder for the messages")),
  );
  const made = (yield* sync(account)).folders.find(({ path }) => path === wanted.path);
  return { id: made?.id ?? wanted.id, key: made?.key ?? (wanted.id as string), path: wanted.path, uidNext: null };
});

/** Returns a hidden mailbox with the id that its folder had; null if unknown, or if hiding it changed its UIDVALIDITY. */
const removedFolderAt = (
  { path, hiddenPath: hidden, folders }: FolderRemoval,
  mailbox: string,
  listed: ReadonlyArray<ListedMailbox>,
) => {
  const uidValidity = listed.find((one) => one.path === mailbox)?.status?.uidValidity ?? 0;
  const known = folders.find((one) => one.path === path + mailbox.slice(hidden.length));
  return { path: mailbox, uidValidity, folderId: known?.uidValidity === uidValidity ? known.id : null };
};

/** Moves one batch out of a mailbox; false if the mailbox is empty. */
const moveFrom = Effect.fnUntraced(function* (
  on: RemovedMailboxes,
  attempt: RemovalAttempt,
  update: (next: FolderRemoval) => Effect.Effect<void, MailboxAccessError>,
  from: ReturnType<typeof removedFolderAt>,
  to: MoveTarget,
) {
  const { account } = attempt.removal;
  const { path } = attempt.removal.destination!;
  if (attempt.removal.batch === null) yield* attempt.completeCopiesTo(path);
  const batch = attempt.removal.batch ?? (yield* batchOf(on, account, from.path, path));
  if (batch === null) return false;
  const found = yield* on.ownMoves.read(account, from.path, { upTo: batch.lastUid });
  yield* on.ownMoves.begin(account, from, found, to);
  yield* update(startBatch(attempt.removal, batch));
  yield* attempt.check;
  const arrived = yield* Effect.catchTag(on.changes.moveBatch(account, batch, path), "FolderNotFound", () =>
    Effect.succeed([]),
  );
  yield* on.ownMoves.settle(account, from, to.key, arrived);
  yield* update(completeBatch(attempt.removal, arrived.length));
  return true;
});

const refusal = (operation: string, what: string) =>
  new MailServerError({ reason: "protocol", operation, detail: `the mail server ${what}` });
