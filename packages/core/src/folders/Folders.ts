import { Clock, Context, Effect, Layer, Option, Result } from "effect";
import { FolderAmbiguous, FolderNotFound, type ListedMailbox, type MailboxAccessError } from "../mail/index.ts";
import type { AccountId, StoreUnavailable } from "../shared/index.ts";
import type { Folder } from "./Folder.ts";
import { isHidden } from "./folder-removal-state.ts";
import { foldersOf } from "./folder-tree.ts";
import type { FolderRecord } from "./FolderRecord.ts";
import type { FolderSnapshot } from "./FolderSnapshot.ts";
import { MailboxTree } from "./ports/MailboxTree.ts";
import { reconcile, sameFolders } from "./reconcile.ts";
import { folderWriter, recordFolders } from "./record-folders.ts";

export type FolderLocation = Pick<FolderRecord, "id" | "key" | "path" | "uidValidity">;

const INBOX: FolderLocation = { id: "inbox", key: "inbox", path: "INBOX", uidValidity: null };

/** Lists the folders of an account with their stable ids, and updates their records (spec 4.1). */
export class Folders extends Context.Service<
  Folders,
  {
    readonly list: (account: AccountId) => Effect.Effect<ReadonlyArray<Folder>, MailboxAccessError>;
    /** Returns the folder that the value of `?folder=` names in a current listing. */
    readonly resolve: (
      account: AccountId,
      wanted: string,
    ) => Effect.Effect<Folder, MailboxAccessError | FolderNotFound | FolderAmbiguous>;
    /**
     * Returns the stored location of an id or path without asking the server, so that a page needs no listing of
     * folders. The location is valid only while the mailbox has the returned UIDVALIDITY; if that is null, any
     * UIDVALIDITY is accepted.
     */
    readonly findStored: (
      account: AccountId,
      wanted: string,
    ) => Effect.Effect<Option.Option<FolderLocation>, StoreUnavailable>;
    /**
     * Returns the folders from a new listing of the server, with their records; `listing` replaces `MailboxTree.list`.
     * The records are stored only if `confirm` succeeds in the same transaction.
     */
    readonly sync: <E = never>(
      account: AccountId,
      listing?: (expected: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<ListedMailbox>, MailboxAccessError>,
      confirm?: Effect.Effect<void, E>,
    ) => Effect.Effect<FolderSnapshot, MailboxAccessError | E>;
  }
>()("@postern/core/folders/Folders") {
  static readonly layer = Layer.effect(
    Folders,
    Effect.gen(function* () {
      const tree = yield* MailboxTree;
      const writer = yield* folderWriter;
      const { records, ids } = writer;
      /** Snapshots by listing: requests that share a listing share the snapshot while the records are the same. */
      const snapshots = new WeakMap<ReadonlyArray<ListedMailbox>, FolderSnapshot>();

      const sync = Effect.fnUntraced(function* <E = never>(
        account: AccountId,
        listing: (
          expected: ReadonlyArray<string>,
        ) => Effect.Effect<ReadonlyArray<ListedMailbox>, MailboxAccessError> = (expected) =>
          tree.list(account, expected),
        confirm: Effect.Effect<void, E> = Effect.void,
      ): Effect.fn.Return<FolderSnapshot, MailboxAccessError | E> {
        for (;;) {
          // The records are read before the listing, because records saved meanwhile may be newer than the listing.
          const known = yield* records.load(account);
          const all = yield* listing(known.flatMap(({ path, uidValidity }) => (uidValidity === null ? [] : [path])));
          const shared = snapshots.get(all);
          if (shared !== undefined && sameFolders(known, shared.records)) return shared;
          const listed = all.filter((mailbox) => !isHidden(mailbox));
          const now = yield* Clock.currentTimeMillis;
          const next = reconcile(known, listed, (identity) => ids.folderId(account, identity), now);
          const { prefix, delimiter } = listed[0] ?? { prefix: "", delimiter: null };
          const record = Effect.tap(recordFolders(writer, account, known, next, delimiter), () => confirm);
          if (!sameFolders(known, next) && !(yield* writer.transaction.run(record))) continue;
          const snapshot = { root: { prefix, delimiter }, listed, records: next, folders: foldersOf(listed, next) };
          snapshots.set(all, snapshot);
          return snapshot;
        }
      });

      const list = Effect.fn("Folders.list")(function* (account: AccountId) {
        return (yield* sync(account)).folders;
      });

      const resolve = Effect.fn("Folders.resolve")(function* (account: AccountId, wanted: string) {
        return yield* Effect.fromResult(resolveFolder(yield* list(account), wanted));
      });

      const findStored = Effect.fnUntraced(function* (account: AccountId, wanted: string) {
        if (meansInbox(wanted)) return Option.some(INBOX);
        const known = yield* records.load(account);
        const record = known.find(({ id }) => id === wanted) ?? known.find(({ path }) => path === wanted);
        return Option.filter(Option.fromUndefinedOr(record), ({ uidValidity }) => uidValidity !== null);
      });

      return Folders.of({ list, resolve, findStored, sync });
    }),
  );
}

/** Returns whether a folder parameter names INBOX, which IMAP compares case-insensitively (RFC 9051, 5.1). */
const meansInbox = (wanted: string): boolean => wanted.toLowerCase() === "inbox";

/**
 * Returns the folder that the value of `?folder=` names: INBOX, or else the folder with this id or this path, or this
 * name if only one folder has it (spec 4).
 */
export const resolveFolder = (
  folders: ReadonlyArray<Folder>,
  wanted: string,
): Result.Result<Folder, FolderNotFound | FolderAmbiguous> => {
  const exact =
    (meansInbox(wanted) ? folders.find((folder) => folder.role === "inbox") : undefined) ??
    folders.find((folder) => folder.id === wanted) ??
    folders.find((folder) => folder.path === wanted);
  if (exact !== undefined) return Result.succeed(exact);
  const named = folders.filter((folder) => folder.name === wanted);
  if (named.length > 1) return Result.fail(new FolderAmbiguous({ paths: named.map((folder) => folder.path) }));
  return named[0] === undefined ? Result.fail(new FolderNotFound()) : Result.succeed(named[0]);
};
