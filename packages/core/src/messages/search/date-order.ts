import * as Base64Url from "effect/encoding/Base64Url";
import { Effect, Option, Result, Schema } from "effect";
import { CursorMalformed } from "../errors.ts";
import type { FolderFinds } from "../search-folders.ts";

/** A search result, with its arrival in epoch milliseconds. */
export interface DatedUid {
  readonly at: number;
  readonly folderId: string;
  readonly uid: number;
}

/**
 * The point where a search by date continues (spec 5.4): it merges the results of consecutive folders, and continues with the
 * folders that were not searched in time.
 */
export interface DateCursor {
  /** The first of the merged folders. */
  readonly folderId: string;
  /** The first folder after them; null if they include the last one. */
  readonly until: string | null;
  /** The last result shown; null if none of these folders was shown. */
  readonly after: DatedUid | null;
}

const Form = Schema.fromJsonString(
  Schema.Tuple([
    Schema.String,
    Schema.NullOr(Schema.String),
    Schema.NullOr(Schema.Tuple([Schema.Int, Schema.String, Schema.Int])),
  ]),
);
const readForm = Schema.decodeUnknownOption(Form);

/** Encodes a cursor of a search by date for clients. */
export const encodeDateCursor = ({ folderId, until, after }: DateCursor): string =>
  Base64Url.encode(JSON.stringify([folderId, until, after && [after.at, after.folderId, after.uid]]));

/** Decodes the cursor of a search by date. */
export const readDateCursor = (text: string): Effect.Effect<DateCursor, CursorMalformed> =>
  Option.match(Option.flatMap(Result.getSuccess(Base64Url.decodeString(text)), readForm), {
    onNone: () => new CursorMalformed(),
    onSome: ([folderId, until, after]) =>
      Effect.succeed({ folderId, until, after: after && { at: after[0], folderId: after[1], uid: after[2] } }),
  });

/** Returns the order of results by date: latest arrival first; of equal ones, that of the first folder and of the highest UID. */
export const byDate =
  (rank: ReadonlyMap<string, number>) =>
  (one: DatedUid, other: DatedUid): number =>
    other.at - one.at || (rank.get(one.folderId) ?? -1) - (rank.get(other.folderId) ?? -1) || other.uid - one.uid;

/** Merges the results of folders, whose arrivals are given by UID, without messages that are gone. */
export const mergeByDate = (
  finds: ReadonlyArray<FolderFinds>,
  arrivals: ReadonlyArray<ReadonlyMap<number, number>>,
  rank: ReadonlyMap<string, number>,
): ReadonlyArray<DatedUid> =>
  finds
    .flatMap(({ folder, uids }, n) =>
      uids.flatMap((uid) => {
        const at = arrivals[n]!.get(uid);
        return at === undefined ? [] : [{ at, folderId: folder.id, uid }];
      }),
    )
    .toSorted(byDate(rank));
