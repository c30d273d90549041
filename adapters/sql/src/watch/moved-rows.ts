import type { AccountId, MessageRef } from "@postern/core/shared";
import type { BegunMove, MovedMessages } from "@postern/core/watch";
import { Array } from "effect";
import { type RawBuilder, sql } from "kysely";
import type { BegunMoveRow, MovedMessageRow } from "../tables/watch.ts";
import { columnsOf, fingerprintOf } from "./fingerprint-columns.ts";

/** The columns of a location: that the message left, or that it has now. */
type LocationColumns = readonly [folder: string, uidValidity: string, uid: string];

export const FROM: LocationColumns = ["folder_id", "uid_validity", "uid"];
export const NOW: LocationColumns = ["to_folder_id", "to_uid_validity", "to_uid"];

export type MessagesAt = Parameters<MovedMessages["Service"]["find"]>[1][number];

/** Returns the messages by their mailboxes. */
export const placesOf = (refs: ReadonlyArray<MessageRef>): ReadonlyArray<MessagesAt> =>
  [...Map.groupBy(refs, ({ folderId, uidValidity }) => `${uidValidity} ${folderId}`).values()].map((some) => ({
    folderId: some[0]!.folderId,
    uidValidity: some[0]!.uidValidity,
    uids: some.map(({ uid }) => uid),
  }));

/**
 * Maximum number of messages, and of mailboxes, in one statement: SQLite allows 32,766 parameters and 1,000 conditions.
 */
const MESSAGES_AT_ONCE = 5_000;
const MAILBOXES_AT_ONCE = 200;

/** Splits messages, so that one statement can select each part. */
export const inStatements = (places: ReadonlyArray<MessagesAt>): ReadonlyArray<ReadonlyArray<MessagesAt>> => {
  const parts: Array<Array<MessagesAt>> = [];
  let room = 0;
  for (const { uids, ...at } of places) {
    for (const some of Array.chunksOf(uids, MESSAGES_AT_ONCE)) {
      if (some.length > room || parts.at(-1)!.length >= MAILBOXES_AT_ONCE) {
        parts.push([]);
        room = MESSAGES_AT_ONCE;
      }
      parts.at(-1)!.push({ ...at, uids: some });
      room -= some.length;
    }
  }
  return parts;
};

/** Returns the condition that a row of the account is about one of these messages. */
export const isAt = (
  account: AccountId,
  [folder, uidValidity, uid]: LocationColumns,
  places: ReadonlyArray<MessagesAt>,
): RawBuilder<boolean> => {
  const conditions = places.map(
    (at) => sql<boolean>`(${sql.ref(folder)} = ${at.folderId} and ${sql.ref(uidValidity)} = ${at.uidValidity}
      and ${sql.ref(uid)} in (${sql.join(at.uids)}))`,
  );
  return sql<boolean>`account = ${account} and (${sql.join(conditions, sql` or `)})`;
};

/** Returns a row; `id` is the location that the message's id encodes. */
export const movedRow = (
  account: AccountId,
  from: MessageRef,
  now: MessageRef,
  id: MessageRef,
  movedAt: number,
): MovedMessageRow => ({
  account,
  folder_id: from.folderId,
  uid_validity: from.uidValidity,
  uid: from.uid,
  to_folder_id: now.folderId,
  to_uid_validity: now.uidValidity,
  to_uid: now.uid,
  moved_at: movedAt,
  id_folder_id: id.folderId,
  id_uid_validity: id.uidValidity,
  id_uid: id.uid,
});

export type LocationRow = Omit<MovedMessageRow, "account" | "moved_at">;

/** Returns the locations in a row. */
export const locationsOf = (row: LocationRow) => {
  const now = { folderId: row.to_folder_id, uidValidity: row.to_uid_validity, uid: row.to_uid };
  return {
    from: { folderId: row.folder_id, uidValidity: row.uid_validity, uid: row.uid },
    now,
    id:
      row.id_folder_id === null || row.id_uid_validity === null || row.id_uid === null
        ? now
        : { folderId: row.id_folder_id, uidValidity: row.id_uid_validity, uid: row.id_uid },
  };
};

export const begunRow = (account: AccountId, move: BegunMove): BegunMoveRow => ({
  ...columnsOf(account, move.from.folderId, move),
  uid_validity: move.from.uidValidity,
  uid: move.from.uid,
  to_folder_id: move.toFolderId,
  lowest_uid: move.lowestUid,
  begun_at: move.begunAt,
});

export const begunOf = (row: BegunMoveRow): BegunMove => ({
  ...fingerprintOf(row),
  from: { folderId: row.folder_id, uidValidity: row.uid_validity, uid: row.uid },
  toFolderId: row.to_folder_id,
  lowestUid: row.lowest_uid,
  begunAt: row.begun_at,
});
