import { Clock, Context, Effect, Layer, Option, Schema } from "effect";
import { recordOperation } from "../audit/neighbours.ts";
import type { AgentNotAllowed } from "../auth/index.ts";
import { ActingAgent, recordAgentChange } from "../auth/neighbours.ts";
import { type CreationKey, Creations } from "../creations/index.ts";
import { type KeyClaim, type RepeatError } from "../creations/neighbours.ts";
import {
  DestinationInvalid,
  type FolderExists,
  FolderHasChildren,
  FolderIsSystem,
  type FolderNameInvalid,
  FolderNotFound,
  type FolderParentInvalid,
  type MailboxAccessError,
  MailServerError,
} from "../mail/index.ts";
import { FolderChanged } from "../mail/neighbours.ts";
import {
  type AccountId,
  Entropy,
  type InputInvalid,
  type Lease,
  type Precondition,
  Transaction,
} from "../shared/index.ts";
import { checkerOf } from "../shared/neighbours.ts";
import type { Folder } from "./Folder.ts";
import type { FolderChange, NewFolder, RemovalRequest, RemovedFolder } from "./folder-requests.ts";
import { isWithin, placeFor, userSubtree } from "./folder-place.ts";
import { hiddenMailboxes, hiddenPath } from "./folder-removal-state.ts";
import type { FolderRemoval, RemovalDestination } from "./FolderRemoval.ts";
import { Folders } from "./Folders.ts";
import { FolderRemover } from "./FolderRemover.ts";
import { type ManagedFolder, managedFolder } from "./ManagedFolder.ts";
import { folderRule } from "./rules.ts";
import { FolderRemovals } from "./ports/FolderRemovals.ts";
import { MailboxChanges } from "./ports/MailboxChanges.ts";
import { MailboxTree } from "./ports/MailboxTree.ts";
import { checkAgentNames } from "./check-agent.ts";
import { renameMailboxes } from "./rename-mailboxes.ts";
import { renameRecords, renamePlan } from "./rename-plan.ts";
import { ensureFolder } from "./ensure-folder.ts";
import { notListed } from "./not-listed.ts";
import { changeFolders, folderWriter } from "./record-folders.ts";

/** The time in milliseconds after which the worker claims a removal that its request has not claimed. */
const CLAIM_DELAY_MILLIS = 1_000;
/** How long a repeated request leases the removal that it replaces. */
const REPLACE_LEASE_MILLIS = 9_000;

const checkChange = checkerOf({ name: Schema.String, parentId: Schema.NullOr(Schema.String) }, folderRule);

type PlaceError = FolderNotFound | FolderNameInvalid | FolderParentInvalid | FolderExists | AgentNotAllowed;

/** Creates, changes and removes the user's folders (spec 4.4, 4.6). */
export class FolderManagement extends Context.Service<
  FolderManagement,
  {
    readonly list: (account: AccountId) => Effect.Effect<ReadonlyArray<ManagedFolder>, MailboxAccessError>;
    /** Creates a folder; once for each key. */
    readonly create: (
      account: AccountId,
      folder: NewFolder,
      key?: CreationKey,
    ) => Effect.Effect<ManagedFolder, MailboxAccessError | PlaceError | RepeatError>;
    /** Renames or moves a folder with its subfolders. All keep their ids. */
    readonly change: (
      account: AccountId,
      id: string,
      change: FolderChange,
      isWanted?: Precondition<Folder>,
    ) => Effect.Effect<ManagedFolder, InputInvalid | MailboxAccessError | PlaceError | FolderIsSystem | FolderChanged>;
    /**
     * Removes a folder. The removal is journaled, so a repeated request continues an interrupted one. As long as nothing
     * is hidden, a later request replaces it; after that, a request with another destination is refused.
     */
    readonly remove: (
      account: AccountId,
      id: string,
      request: RemovalRequest,
      isWanted?: Precondition<Folder>,
    ) => Effect.Effect<
      RemovedFolder,
      MailboxAccessError | FolderNotFound | FolderChanged | FolderIsSystem | FolderHasChildren | DestinationInvalid
    >;
  }
>()("@postern/core/folders/FolderManagement") {
  static readonly layer = Layer.effect(
    FolderManagement,
    Effect.gen(function* () {
      const listing = yield* Folders;
      const { sync } = listing;
      const creations = yield* Creations;
      const tree = yield* MailboxTree;
      const changes = yield* MailboxChanges;
      const removals = yield* FolderRemovals;
      const remover = yield* FolderRemover;
      const entropy = yield* Entropy;
      const transaction = yield* Transaction;
      const writer = yield* folderWriter;

      const list = Effect.fn("FolderManagement.list")(function* (account: AccountId) {
        const { folders, records } = yield* sync(account);
        return folders.flatMap((folder, n) => (folder.role === null ? [managedFolder(folder, records[n]!)] : []));
      });

      /** Returns the folder at a path that was just created or renamed. */
      const managedAt = Effect.fnUntraced(function* (account: AccountId, path: string) {
        const { folders, records } = yield* sync(account);
        const at = folders.findIndex((folder) => folder.path === path);
        return at < 0 ? yield* notListed(path) : managedFolder(folders[at]!, records[at]!);
      });

      const createOne = Effect.fnUntraced(function* (account: AccountId, folder: NewFolder, claim: KeyClaim) {
        const { folders, root } = yield* sync(account);
        yield* checkAgentNames(folders);
        const parent = folder.parentId === null ? null : yield* find(folders, folder.parentId);
        const path = yield* Effect.fromResult(placeFor(folders, root, folder.name, parent));
        yield* claim.begin(path);
        yield* recordAgentChange("folderSettings.create", { account });
        yield* changes.create(account, path);
        const created = yield* managedAt(account, path);
        yield* claim.complete(created.id);
        return created;
      });

      /** Finds the folder that an earlier request created, by its id or by its intended path. */
      const findCreated = Effect.fnUntraced(function* (account: AccountId, idOrPath: string, claim: KeyClaim) {
        const { folders, records } = yield* sync(account);
        const at = folders.findIndex(({ id, path }) => id === idOrPath || path === idOrPath);
        if (at < 0) return Option.none();
        yield* claim.complete(folders[at]!.id);
        return Option.some(managedFolder(folders[at]!, records[at]!));
      });

      const create = Effect.fn("FolderManagement.create")((account: AccountId, folder: NewFolder, key?: CreationKey) =>
        creations.once(
          key,
          { operation: "folderSettings.create", request: folder },
          (claim) => createOne(account, folder, claim),
          (idOrPath, claim) => findCreated(account, idOrPath, claim),
        ),
      );

      const change = Effect.fn("FolderManagement.change")(function* (
        account: AccountId,
        id: string,
        { name, parentId }: FolderChange,
        isWanted: Precondition<Folder> = () => true,
      ) {
        yield* checkChange({ name, parentId });
        const { folders, listed, root } = yield* sync(account);
        const folder = yield* find(folders, id);
        const subtree = yield* Effect.fromResult(userSubtree(folders, folder));
        if (!isWanted(folder)) return yield* new FolderChanged();
        const wanted = parentId === undefined ? folder.parentId : parentId;
        const parent = wanted === null ? null : yield* find(folders, wanted);
        const path = yield* Effect.fromResult(placeFor(folders, root, name ?? folder.name, parent, folder));
        if (path !== folder.path) {
          yield* checkAgentNames(folders);
          yield* recordAgentChange("folderSettings.change", { account, target: id });
          const plan = renamePlan(listed, folder.path, path);
          const after = yield* renameMailboxes(tree, changes, account, plan);
          const renamed = new Set(subtree.map(({ key }) => key));
          yield* changeFolders(writer, account, root.delimiter, (known) => renameRecords(known, plan, renamed, after));
        }
        return yield* managedAt(account, path);
      });

      const remove = Effect.fn("FolderManagement.remove")(function* (
        account: AccountId,
        id: string,
        request: RemovalRequest,
        isWanted: Precondition<Folder> = () => true,
      ) {
        const begun = yield* removals.find(account, id);
        const removal = Option.isSome(begun)
          ? yield* repeat(begun.value, request, isWanted)
          : yield* begin(account, id, request, isWanted);
        const ended = yield* remover.carryOut(removal);
        if (Option.isNone(ended)) {
          // Another request ended the removal: the folder is gone, or the mail server refused.
          yield* find((yield* sync(account)).folders, id);
          return yield* new MailServerError({
            reason: "protocol",
            operation: "remove",
            detail: "refused to another request",
          });
        }
        yield* removals.forget(removal.id);
        return { id, movedTo: ended.value.destination?.id ?? null, movedCount: ended.value.moved };
      });

      /** Returns the removal to carry out for a request that follows an earlier one. */
      const repeat = Effect.fnUntraced(function* (
        begun: FolderRemoval,
        request: RemovalRequest,
        isWanted: Precondition<Folder>,
      ) {
        const { id, account, folderId } = begun;
        if (begun.phase === "finished") {
          const { folders } = yield* sync(account);
          if (!folders.some((folder) => folder.id === folderId)) return begun;
          yield* removals.forget(id);
          return yield* begin(account, folderId, request, isWanted);
        }
        const now = yield* Clock.currentTimeMillis;
        const lease: Lease = { token: yield* entropy.id(128), until: now + REPLACE_LEASE_MILLIS };
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
      const checkDestination = Effect.fnUntraced(function* (
        removal: FolderRemoval,
        { moveTo, permanent }: RemovalRequest,
      ) {
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
        const folder = yield* find(folders, id);
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
        { moveTo, permanent }: RemovalRequest,
      ): Effect.fn.Return<RemovalDestination | null, MailboxAccessError | FolderNotFound | DestinationInvalid> {
        if (permanent && moveTo !== undefined) return yield* new DestinationInvalid({ reason: "permanent" });
        if (permanent) return null;
        if (moveTo === undefined) return yield* ensureFolder(listing, changes, account, "trash");
        const destination = yield* find(folders, moveTo);
        if (isWithin(destination.path, folder.path, folder.delimiter)) {
          return yield* new DestinationInvalid({ reason: "own_descendant" });
        }
        if (!destination.selectable) return yield* new DestinationInvalid({ reason: "not_selectable" });
        const isOfOwner = destination.role === "sent" || destination.role === "drafts";
        if (isOfOwner && (yield* ActingAgent) !== null) return yield* new DestinationInvalid({ reason: "of_owner" });
        return destination;
      });

      return FolderManagement.of({ list, create, change, remove });
    }),
  );
}

const find = (folders: ReadonlyArray<Folder>, id: string): Effect.Effect<Folder, FolderNotFound> => {
  const folder = folders.find((folder) => folder.id === id);
  return folder === undefined ? Effect.fail(new FolderNotFound()) : Effect.succeed(folder);
};

const otherRemoval = () =>
  Effect.fail(
    new MailServerError({
      reason: "busy",
      operation: "remove",
      detail: "the folder is being removed as another request asked",
    }),
  );
