import { Effect } from "effect";
import { type MailboxAccessError, MailServerError } from "../../mail/index.ts";
import type { AccountId } from "../../shared/index.ts";
import { CursorMalformed } from "../errors.ts";
import type { MessageSearch } from "../ports/MessageSearch.ts";
import type { FolderEntry } from "../search-folders.ts";
import { byDate, type DateCursor, encodeDateCursor, mergeByDate } from "./date-order.ts";
import type { ResultSlice, SearchedFolders } from "./slice-by-folder.ts";

const rankOf = ({ where }: SearchedFolders) => new Map(where.map(({ id }, n) => [id, n]));

/** Returns entries sorted by date (spec 5.4). */
export const sortByDate = (
  searched: SearchedFolders,
  entries: ReadonlyArray<FolderEntry>,
): ReadonlyArray<FolderEntry> => {
  const compare = byDate(rankOf(searched));
  const placeOf = ({ folderId, message: { arrivedAt, uid } }: FolderEntry) => ({ at: arrivedAt, folderId, uid });
  return entries.toSorted((one, other) => compare(placeOf(one), placeOf(other)));
};

/**
 * Returns a page of results by date (spec 5.4), after the cursor or, without one, after `skip` results. The page merges
 * the folders that were searched. The next page merges the same folders, so that no result is repeated or left out.
 */
export const sliceByDate = Effect.fnUntraced(function* (
  search: MessageSearch["Service"],
  account: AccountId,
  searched: SearchedFolders,
  cursor: DateCursor | undefined,
  skip: number,
  limit: number,
): Effect.fn.Return<ResultSlice, CursorMalformed | MailboxAccessError> {
  const { finds, left, where, from } = searched;
  const rank = rankOf(searched);
  const unreached = where.findIndex((folder, n) => n >= from && left.includes(folder));
  const reached = unreached === -1 ? where.length : unreached;
  const { after = null } = cursor ?? {};
  const asked = after === null || cursor?.until == null ? undefined : rank.get(cursor.until);
  if (after !== null && cursor?.until != null && asked === undefined) return yield* new CursorMalformed();
  const until = after === null ? reached : (asked ?? where.length);
  if (until > reached) return yield* searchTimeout();

  const merged = finds.filter(({ folder: { id } }) => rank.get(id)! >= from && rank.get(id)! < until);
  const filled = merged.filter(({ uids }) => uids.length > 0);
  const places = filled.map(({ folder: { path }, uidValidity, uids }) => ({ path, uidValidity, uids }));
  const arrivals = filled.length === 0 ? [] : yield* search.arrivals(account, places);
  const ordered = mergeByDate(filled, arrivals, rank);
  const compare = byDate(rank);
  const start =
    cursor === undefined ? skip : after === null ? 0 : ordered.filter((one) => compare(one, after) <= 0).length;
  const slice = ordered.slice(start, start + limit);

  const folderId = where[from]?.id ?? "";
  const [end, last] = [where[until]?.id ?? null, slice.at(-1)];
  const next =
    last !== undefined && start + slice.length < ordered.length
      ? { folderId, until: end, after: last }
      : end === null
        ? null
        : { folderId: end, until: null, after: null };
  const before = finds.filter(({ folder: { id } }) => rank.get(id)! < from);
  return {
    skipped: start + before.reduce((sum, { uids }) => sum + uids.length, 0),
    shown: filled.flatMap((found) => {
      const uids = slice.flatMap((one) => (one.folderId === found.folder.id ? [one.uid] : []));
      return uids.length === 0 ? [] : [{ ...found, uids }];
    }),
    nextCursor: next && encodeDateCursor(next),
  };
});

const searchTimeout = () =>
  new MailServerError({
    reason: "timeout",
    operation: "search",
    detail: "the folders of the page before were not searched in 10 seconds",
  });
