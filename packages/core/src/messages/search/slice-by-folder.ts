import { Effect } from "effect";
import { type Cursor, encodeCursor, NO_UIDVALIDITY, startOf } from "../page.ts";
import { CursorMalformed, CursorStale } from "../errors.ts";
import type { FolderResults, Searched } from "../search-folders.ts";

/** The results of a search with the searched folders in their order. */
export interface SearchedFolders extends Searched {
  readonly where: ReadonlyArray<FolderResults["folder"]>;
  /** The index of the folder that was searched first. */
  readonly from: number;
}

/** A page of the results of a search. */
export interface ResultSlice {
  /** The number of results before this page. */
  readonly skipped: number;
  /** The messages of this page, in each folder the highest UID first. */
  readonly shown: ReadonlyArray<FolderResults>;
  readonly nextCursor: string | null;
}

/** Returns a page of results folder by folder (spec 5.4), after the cursor or, without one, after `skip` results. */
export const sliceByFolder = Effect.fnUntraced(function* (
  { finds, left, where, from }: SearchedFolders,
  cursor: Cursor | undefined,
  skip: number,
  limit: number,
): Effect.fn.Return<ResultSlice, CursorMalformed | CursorStale> {
  const skipped = cursor === undefined ? skip : yield* shownBy(finds, cursor);
  const shown: Array<FolderResults> = [];
  let [rest, room] = [skipped, limit];
  for (const found of finds) {
    const newest = found.uids.toReversed().slice(rest, rest + room);
    rest = Math.max(0, rest - found.uids.length);
    room -= newest.length;
    if (newest.length > 0) shown.push({ ...found, uids: newest });
  }
  const total = finds.reduce((sum, { uids }) => sum + uids.length, 0);
  const last = shown.at(-1);
  const next = where.slice(from).find((folder) => left.includes(folder));
  const nextCursor =
    last !== undefined && skipped + (limit - room) < total
      ? {
          folderId: last.folder.id,
          key: last.folder.key,
          uidValidity: last.uidValidity,
          uid: last.uids.at(-1)!,
          position: 1,
        }
      : next && startOf(next);
  return { skipped, shown, nextCursor: nextCursor === undefined ? null : encodeCursor(nextCursor) };
});

/** Returns the number of results before the position of a cursor. */
const shownBy = (
  finds: ReadonlyArray<FolderResults>,
  cursor: Cursor,
): Effect.Effect<number, CursorMalformed | CursorStale> => {
  const at = finds.findIndex(({ folder }) => folder.id === cursor.folderId);
  const found = finds[at];
  if (found === undefined) return Effect.fail(new CursorMalformed());
  const before = finds.slice(0, at).reduce((sum, { uids }) => sum + uids.length, 0);
  if (cursor.uidValidity === NO_UIDVALIDITY) return Effect.succeed(before);
  if (found.folder.key !== cursor.key || found.uidValidity !== cursor.uidValidity)
    return Effect.fail(new CursorStale());
  return Effect.succeed(before + found.uids.filter((uid) => uid >= cursor.uid).length);
};
