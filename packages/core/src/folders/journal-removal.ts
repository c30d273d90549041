import { Clock, Duration, Effect, Option } from "effect";
import { recordOperation } from "../audit/neighbours.ts";
import { ActingAgent } from "../auth/neighbours.ts";
import {
  DestinationInvalid,
  FolderHasChildren,
  type FolderNotFound,
  type MailboxAccessError,
  MailServerError,
} from "../mail/index.ts";
import { FolderChanged } from "../mail/neighbours.ts";
import { type AccountId, Entropy, type Lease, type Precondition, Transaction } from "../shared/index.ts";
import { ensureFolder } from "./ensure-folder.ts";
import { findFolder } from "./find-folder.ts";
import type { Folder } from "./Folder.ts";
import { isWithin, userSubtree } from "./folder-place.ts";
import { hiddenMailboxes, hiddenPath } from "./folder-removal-state.ts";
import type { RemovalRequest } from "./folder-requests.ts";
import type { FolderRemoval, RemovalDestination } from "./FolderRemoval.ts";
import { REMOVAL_LEASE } from "./FolderRemover.ts";
import { Folders } from "./Folders.ts";
import { FolderRemovals } from "./ports/FolderRemovals.ts";
import { MailboxChanges } from "./ports/MailboxChanges.ts";
import { MailboxTree } from "./ports/MailboxTree.ts";

/** The time in milliseconds after which the worker claims a removal that its request has not claimed. */
const CLAIM_DELAY_MILLIS = 1_000;

/** The ports and services that journal the removal of a folder. */
export const removalJournalPorts = Effect.all({
  listing: Folders,
  tree: MailboxTree,
  changes: MailboxChanges,
  removals: FolderRemovals,
  entropy: Entropy,
  transaction: Transaction,
});

/**
 * Returns the function that journals the removal of a folder for a request (spec 4.6), and returns the removal to carry
 * out: a new one, or that of an earlier request.
 */
export const removalJournal = ({
  listing,
  tree,
  changes,
  removals,
  entropy,
  transaction,
}: Effect.Success<typeof removalJournalPorts>) => {
  const { sync } = listing;

  /** Returns the removal to carry out for a request that follows an earlier one. */
  const repeat = Effect.fnUntraced(function* (
    begun: FolderRemoval,
    request: RemovalRequest,
    isWanted: Precondition<Folder>,
  ) {
    yield* checkRequest(request);
    const { id, account, folderId } = begun;
    if (begun.phase === "finished") {
      const { folders } = yield* sync(account);
      if (!folders.some((folder) => folder.id === folderId)) return begun;
      yield* removals.forget(id);
      return yield* begin(account, folderId, request, isWanted);
    }
    const now = yield* Clock.currentTimeMillis;
    const lease: Lease = { token: yield* entropy.id(128), until: now + Duration.toMillis(REMOVAL_LEASE) };
    const claimed = yield* removals.claimOne(id, now, lease);
    if (Option.isNone(claimed)) return yield* checkDestination(begun, request);
    return yield* Effect.gen(function* () {
      const { value: removal } = claimed;
      if (removal.phase !== "hiding" || hiddenMailboxes(removal, yield* tree.list(account)).length > 0) {
        return yield* checkDestination(removal, request);
      }
      const replaced = { ...(yield* removalOf(account, folderId, request, isWanted)), id };
      const isSaved = yield* transaction.run(
        Effect.tap(removals.save(replaced, lease.token), (saved) =>
          saved ? recordOperation("folderSettings.remove", { account, target: folderId }) : Effect.void,
        ),
      );
      return isSaved ? replaced : yield* otherRemoval();
    }).pipe(Effect.ensuring(Effect.ignore(removals.release([id], lease.token))));
  });

  const begin = Effect.fnUntraced(function* (
    account: AccountId,
    id: string,
    request: RemovalRequest,
    isWanted: Precondition<Folder>,
  ) {
    const removal = yield* removalOf(account, id, request, isWanted);
    const recorded = recordOperation("folderSettings.remove", { account, target: id });
    const begun = yield* transaction.run(Effect.tap(removals.begin(removal), () => recorded));
    return begun.id === removal.id ? begun : yield* checkDestination(begun, request);
  });

  /** Returns a removal that is under way if it moves the messages where the request wants them. */
  const checkDestination = Effect.fnUntraced(function* (removal: FolderRemoval, { moveTo, permanent }: RemovalRequest) {
    const { account, destination } = removal;
    const trash = ensureFolder(listing, changes, account, "trash");
    const wanted = permanent ? null : (moveTo ?? (yield* trash).id);
    return (destination?.id ?? null) === wanted ? removal : yield* otherRemoval();
  });

  /** Checks a request, and returns its removal. */
  const removalOf = Effect.fnUntraced(function* (
    account: AccountId,
    id: string,
    request: RemovalRequest,
    isWanted: Precondition<Folder>,
  ) {
    const { folders, records, root } = yield* sync(account);
    const folder = yield* findFolder(folders, id);
    const subtree = yield* Effect.fromResult(userSubtree(folders, folder));
    if (!isWanted(folder)) return yield* new FolderChanged();
    if (subtree.length > 1 && !request.recursive) return yield* new FolderHasChildren();
    const destination = yield* destinationOf(account, folders, folder, request);
    const now = yield* Clock.currentTimeMillis;
    return {
      id: yield* entropy.id(128),
      account,
      folderId: folder.id,
      path: folder.path,
      uidValidity: records[folders.indexOf(folder)]?.uidValidity ?? null,
      hiddenPath: hiddenPath(root.prefix, yield* entropy.id(64)),
      folders: subtree.map(({ id, key, path }) => ({
        id: key,
        path,
        uidValidity: records.find((record) => record.id === id)?.uidValidity ?? null,
      })),
      delimiter: root.delimiter,
      destination,
      phase: "hiding",
      moved: 0,
      remaining: 0,
      batch: null,
      begunAt: now,
      failures: 0,
      dueAt: now + CLAIM_DELAY_MILLIS,
      reason: null,
    } satisfies FolderRemoval;
  });

  const destinationOf = Effect.fnUntraced(function* (
    account: AccountId,
    folders: ReadonlyArray<Folder>,
    folder: Folder,
    request: RemovalRequest,
  ): Effect.fn.Return<RemovalDestination | null, MailboxAccessError | FolderNotFound | DestinationInvalid> {
    yield* checkRequest(request);
    const { moveTo, permanent } = request;
    if (permanent) return null;
    if (moveTo === undefined) return yield* ensureFolder(listing, changes, account, "trash");
    const destination = yield* findFolder(folders, moveTo);
    if (isWithin(destination.path, folder.path, folder.delimiter)) {
      return yield* new DestinationInvalid({ reason: "own_descendant" });
    }
    if (!destination.selectable) return yield* new DestinationInvalid({ reason: "not_selectable" });
    const isOfOwner = destination.role === "sent" || destination.role === "drafts";
    if (isOfOwner && (yield* ActingAgent) !== null) return yield* new DestinationInvalid({ reason: "of_owner" });
    return destination;
  });

  return Effect.fnUntraced(function* (
    account: AccountId,
    id: string,
    request: RemovalRequest,
    isWanted: Precondition<Folder>,
  ) {
    const begun = yield* removals.find(account, id);
    return Option.isSome(begun)
      ? yield* repeat(begun.value, request, isWanted)
      : yield* begin(account, id, request, isWanted);
  });
};

/** Fails if a request wants its messages both deleted and moved. */
const checkRequest = ({ moveTo, permanent }: RemovalRequest) =>
  permanent && moveTo !== undefined ? Effect.fail(new DestinationInvalid({ reason: "permanent" })) : Effect.void;

const otherRemoval = () =>
  Effect.fail(
    new MailServerError({
      reason: "busy",
      operation: "remove",
      detail: "the folder is being removed as another request asked",
    }),
  );
