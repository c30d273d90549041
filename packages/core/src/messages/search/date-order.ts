import * as Base64Url from "effect/encoding/Base64Url";
import { Effect, Option, Result, Schema } from "effect";
import { CursorMalformed } from "../errors.ts";
import type { FolderResults } from "../search-folders.ts";

/** A search result, with its arrival in epoch milliseconds. */
export interface DatedUid {
  readonly at: number;
  readonly folderId: string;
  readonly uid: number;
}

/**
 * The point where a search by date continues (spec 5.4). The search merges the results of consecutive folders, and
 * continues with the folders that were not searched in time.
 */
export interface DateCursor {
  /** The first merged folder. */
  readonly folderId: string;
  /** The first folder after the merged folders; null if these include the last folder. */
  readonly until: string | null;
  /** The last result shown; null if no result of the merged folders was shown. */
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

/** Returns the comparison of results by date: latest arrival first, then by order of folders, then highest UID first. */
export const byDate =
  (rank: ReadonlyMap<string, number>) =>
  (one: DatedUid, other: DatedUid): number =>
    other.at - one.at || (rank.get(one.folderId) ?? -1) - (rank.get(other.folderId) ?? -1) || other.uid - one.uid;

/** Merges the results of folders by arrival time. Results without an arrival time are left out, because their messages are gone. */
export const mergeByDate = (
  finds: ReadonlyArray<FolderResults>,
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
