import { Context, Effect, Layer, Option, Schema } from "effect";
import type { AgentNotAllowed } from "../auth/index.ts";
import { recordAgentChange } from "../auth/neighbours.ts";
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
import type { AccountId, InputInvalid, Precondition } from "../shared/index.ts";
import { checkerOf } from "../shared/neighbours.ts";
import type { Folder } from "./Folder.ts";
import type { FolderChange, NewFolder, RemovalRequest, RemovedFolder } from "./folder-requests.ts";
import { placeFor, userSubtree } from "./folder-place.ts";
import { Folders } from "./Folders.ts";
import { FolderRemover } from "./FolderRemover.ts";
import { type ManagedFolder, managedFolder } from "./ManagedFolder.ts";
import { folderRule } from "./rules.ts";
import { findFolder } from "./find-folder.ts";
import { removalJournal, removalJournalPorts } from "./journal-removal.ts";
import { FolderRemovals } from "./ports/FolderRemovals.ts";
import { MailboxChanges } from "./ports/MailboxChanges.ts";
import { MailboxTree } from "./ports/MailboxTree.ts";
import { checkAgentNames } from "./check-agent.ts";
import { renameMailboxes } from "./rename-mailboxes.ts";
import { renameRecords, renamePlan } from "./rename-plan.ts";
import { notListed } from "./not-listed.ts";
import { changeFolders, folderWriter } from "./record-folders.ts";

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
      const writer = yield* folderWriter;
      const journal = removalJournal(yield* removalJournalPorts);

      const list = Effect.fn("FolderManagement.list")(function* (account: AccountId) {
        const { folders, records } = yield* sync(account);
        return folders.flatMap((folder, n) => (folder.role === null ? [managedFolder(folder, records[n]!)] : []));
      });

      /** Returns the folder at a path that was just created. */
      const managedAt = Effect.fnUntraced(function* (account: AccountId, path: string) {
        const { folders, records } = yield* sync(account);
        const at = folders.findIndex((folder) => folder.path === path);
        return at < 0 ? yield* notListed(path) : managedFolder(folders[at]!, records[at]!);
      });

      const createOne = Effect.fnUntraced(function* (account: AccountId, folder: NewFolder, claim: KeyClaim) {
        const { folders, root } = yield* sync(account);
        yield* checkAgentNames(folders);
        const parent = folder.parentId === null ? null : yield* findFolder(folders, folder.parentId);
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
        const folder = yield* findFolder(folders, id);
        const subtree = yield* Effect.fromResult(userSubtree(folders, folder));
        if (!isWanted(folder)) return yield* new FolderChanged();
        const wanted = parentId === undefined ? folder.parentId : parentId;
        const parent = wanted === null ? null : yield* findFolder(folders, wanted);
        const path = yield* Effect.fromResult(placeFor(folders, root, name ?? folder.name, parent, folder));
        if (path !== folder.path) {
          yield* checkAgentNames(folders);
          yield* recordAgentChange("folderSettings.change", { account, target: id });
          const plan = renamePlan(listed, folder.path, path);
          const after = yield* renameMailboxes(tree, changes, account, plan);
          const renamed = new Set(subtree.map(({ key }) => key));
          yield* changeFolders(writer, account, root.delimiter, (known) => renameRecords(known, plan, renamed, after));
        }
        // Another request may have renamed the folder again, or removed it.
        const changed = (yield* list(account)).find((one) => one.id === folder.id);
        return changed ?? (yield* new FolderNotFound());
      });

      const remove = Effect.fn("FolderManagement.remove")(function* (
        account: AccountId,
        id: string,
        request: RemovalRequest,
        isWanted: Precondition<Folder> = () => true,
      ) {
        const removal = yield* journal(account, id, request, isWanted);
        const ended = yield* remover.carryOut(removal);
        if (Option.isNone(ended)) {
          // Another request ended the removal: the folder is gone, or the mail server refused.
          yield* findFolder((yield* sync(account)).folders, id);
          return yield* new MailServerError({
            reason: "protocol",
            operation: "remove",
            detail: "refused to another request",
          });
        }
        yield* removals.forget(removal.id);
        return { id, movedTo: ended.value.destination?.id ?? null, movedCount: ended.value.moved };
      });

      return FolderManagement.of({ list, create, change, remove });
    }),
  );
}
