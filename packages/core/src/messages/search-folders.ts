import { Duration, Effect, Stream } from "effect";
import type { Folder, Folders } from "../folders/index.ts";
import type { FoundUids, MessageSearch } from "./ports/MessageSearch.ts";
import type { MailboxAccessError } from "../mail/index.ts";
import type { AccountId } from "../shared/index.ts";
import type { FolderId } from "../shared/neighbours.ts";
import type { SearchCharsetRefused } from "./errors.ts";
import type { InboxEntry } from "./InboxPage.ts";
import type { SearchCriteria } from "./SearchCriteria.ts";
import { idsAt, type ShownIds } from "./shown-ids.ts";

/** The search results of one folder. */
export interface FolderResults extends FoundUids {
  readonly folder: Pick<Folder, "id" | "key" | "path">;
}

/** A listed message with the path of its folder. */
export interface FolderEntry extends InboxEntry {
  readonly folderId: FolderId;
  readonly uidValidity: number;
  readonly path: string;
}

/** Returns the selectable folders, INBOX first, Junk and Trash last. */
export const searchableFolders = Effect.fnUntraced(function* (folders: Folders["Service"], account: AccountId) {
  const rank = ({ role }: Folder) => (role === "trash" ? 2 : role === "junk" ? 1 : 0);
  const selectable = (yield* folders.list(account)).filter(({ selectable }) => selectable);
  return selectable.toSorted((one, other) => rank(one) - rank(other));
});

/** A report on folders that were not searched before the time ended. */
export interface Incomplete {
  readonly unsearched: number;
  /** The first of these folders, at most 100. */
  readonly folders: ReadonlyArray<Pick<Folder, "id" | "path">>;
}

const MAX_NAMED = 100;

/** Returns a report on the folders that a search did not reach; null if there are none. */
export const incompleteness = (left: ReadonlyArray<FolderResults["folder"]>): Incomplete | null =>
  left.length === 0
    ? null
    : { unsearched: left.length, folders: left.slice(0, MAX_NAMED).map(({ id, path }) => ({ id, path })) };

/** The results of a search, and the folders that it did not reach. */
export interface Searched {
  /** The results in the order of the folders, without folders that were deleted meanwhile. */
  readonly finds: ReadonlyArray<FolderResults>;
  /** The folders that were not searched before the time ended, in the order of the search. */
  readonly left: ReadonlyArray<FolderResults["folder"]>;
}

/**
 * Searches folders for up to `time`: first from the folder with index `from` on, then the folders before it. A message
 * that the server recognises in several folders is a result of the first folder only.
 */
export const searchFolders = Effect.fnUntraced(function* (
  search: MessageSearch["Service"],
  account: AccountId,
  where: ReadonlyArray<FolderResults["folder"]>,
  criteria: SearchCriteria,
  time: Duration.Input = Duration.infinity,
  from = 0,
): Effect.fn.Return<Searched, MailboxAccessError | SearchCharsetRefused> {
  if (Duration.toMillis(time) <= 0) return { finds: [], left: where };
  const found = new Map<string, FoundUids | null>();
  const order = [...where.slice(from), ...where.slice(0, from)];
  const paths = order.map(({ path }) => path);
  const all = Stream.runForEach(search.find(account, paths, criteria), ([path, uids]) =>
    Effect.sync(() => found.set(path, uids)),
  );
  yield* Effect.timeoutOption(all, time);
  const end = order.findIndex(({ path }) => !found.has(path));
  const left = end === -1 ? [] : order.slice(end);
  const finds = where.flatMap((folder) => {
    const uids = left.includes(folder) ? undefined : found.get(folder.path);
    return uids ? [{ folder, ...uids }] : [];
  });
  return { finds: yield* withoutCopies(search, account, finds), left };
});

const withoutCopies = Effect.fnUntraced(function* (
  search: MessageSearch["Service"],
  account: AccountId,
  finds: ReadonlyArray<FolderResults>,
) {
  const filled = finds.filter(({ uids }) => uids.length > 0);
  if (filled.length < 2) return finds;
  const asked = filled.map(({ folder: { path }, uidValidity, uids }) => ({ path, uidValidity, uids }));
  const ids = yield* search.emailIds(account, asked);
  return distinctFinds(finds, new Map(filled.map(({ folder }, n) => [folder, ids[n]!])));
});

/** Reads found messages, folder by folder and newest first in each, without messages deleted meanwhile. */
export const readFinds = Effect.fnUntraced(function* (
  search: MessageSearch["Service"],
  names: ShownIds,
  account: AccountId,
  finds: ReadonlyArray<Pick<FolderResults, "folder" | "uidValidity" | "uids">>,
) {
  const asked = finds.map(({ folder: { key, path }, ...found }) => ({ folderId: key, path, ...found }));
  const found = finds.length === 0 ? [] : yield* search.summaries(account, asked);
  const places = asked.map((one, n) => ({ ...one, uids: found[n]!.map(({ uid }) => uid) }));
  const { ids } = yield* idsAt(names, account, places);
  return places.flatMap(({ path, uidValidity }, n) => {
    const at = { folderId: finds[n]!.folder.id, path, uidValidity };
    return found[n]!.map((message, m): FolderEntry => ({ ...at, id: ids[n]![m]!, message })).toReversed();
  });
});

/** Returns the results without messages that an earlier folder contains too. `emailIds` has the server's id of each message, by folder. */
const distinctFinds = (
  finds: ReadonlyArray<FolderResults>,
  emailIds: ReadonlyMap<FolderResults["folder"], ReadonlyMap<number, string>>,
): ReadonlyArray<FolderResults> => {
  const before = new Set<string>();
  return finds.map((found) => {
    const idOf = (uid: number) => emailIds.get(found.folder)?.get(uid);
    const isFirst = (uid: number) => !before.has(idOf(uid) ?? "");
    const [uids, unread] = [found.uids.filter(isFirst), found.unread.filter(isFirst)];
    for (const uid of uids) {
      const id = idOf(uid);
      if (id !== undefined) before.add(id);
    }
    return { ...found, uids, unread };
  });
};
