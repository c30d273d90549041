import { type ExpectedMessage, FollowedMailboxes, type SeenMessage } from "@postern/core/watch";
import { Array, Effect, Layer, Option } from "effect";
import { type Kysely, sql } from "kysely";
import { Database } from "../database/Database.ts";
import type { Tables } from "../tables/Tables.ts";
import { allFolders } from "./all-folders.ts";
import { columnsOf, fingerprintOf } from "./fingerprint-columns.ts";
import { leftMessages } from "./left-messages.ts";
import { cursorColumns, followedOfRow, seenOfRow, seenRow } from "./seen-rows.ts";
import type { ExpectedMessageRow, SeenMessageRow } from "../tables/watch.ts";

/**
 * Maximum number of rows in one statement, which has a limited number of parameters (SQLite: 32,766, PostgreSQL:
 * 65,535).
 */
const AT_ONCE = 1_000;
/**
 * Maximum number of rows in one INSERT. With nine parameters each, building the statement costs more memory than the
 * rows.
 */
const INSERTED_AT_ONCE = 125;

const seenIn = (db: Kysely<Tables>, account: string, folderId: string) =>
  db.deleteFrom("seen_message").where("account", "=", account).where("folder_id", "=", folderId);

/** Cursors in the table `followed_mailbox`, seen messages in `seen_message` (spec 7). */
export const layer: Layer.Layer<FollowedMailboxes, never, Database> = Layer.effect(
  FollowedMailboxes,
  Effect.gen(function* () {
    const { query, transaction, lockRows, isInside } = yield* Database;

    const byUid = (rows: ReadonlyArray<SeenMessageRow>) => new Map(rows.map((row) => [row.uid, seenOfRow(row)]));

    const put = (account: string, folderId: string, columns: ReturnType<typeof cursorColumns>) =>
      query((db) =>
        db
          .insertInto("followed_mailbox")
          .values({ account, folder_id: folderId, ...columns })
          .onConflict((conflict) => conflict.columns(["account", "folder_id"]).doUpdateSet(columns))
          .execute(),
      );

    const forget = (account: string, folderId: string, uids: ReadonlyArray<number>) =>
      Effect.forEach(Array.chunksOf(uids, AT_ONCE), (some) =>
        query((db) => seenIn(db, account, folderId).where("uid", "in", some).execute()),
      );

    const insert = (account: string, folderId: string, messages: ReadonlyArray<SeenMessage>) =>
      Effect.forEach(Array.chunksOf(messages, INSERTED_AT_ONCE), (some) =>
        query((db) =>
          db
            .insertInto("seen_message")
            .values(some.map((message) => seenRow(account, folderId, message)))
            .execute(),
        ),
      );

    return FollowedMailboxes.of({
      find: Effect.fn("FollowedMailboxes.find")(function* (account, folderId) {
        const lock = (yield* isInside) ? lockRows : <Q>(rows: Q) => rows;
        const row = yield* query((db) =>
          lock(
            db
              .selectFrom("followed_mailbox")
              .selectAll()
              .where("account", "=", account)
              .where("folder_id", "=", folderId),
          ).executeTakeFirst(),
        );
        return Option.map(Option.fromUndefinedOr(row), followedOfRow);
      }),

      begin: Effect.fn("FollowedMailboxes.begin")(function* (account, folderId, cursor) {
        yield* query((db) =>
          db
            .insertInto("followed_mailbox")
            .values({ account, folder_id: folderId, ...cursorColumns(cursor, cursor.uidNext) })
            .onConflict((conflict) => conflict.columns(["account", "folder_id"]).doNothing())
            .execute(),
        );
      }),

      moveTo: Effect.fn("FollowedMailboxes.moveTo")(function* (account, folderId, cursor) {
        yield* put(account, folderId, cursorColumns(cursor, cursor.uidNext));
        // `backfill` replaces the rows below; rows above would count as messages that arrive later.
        yield* query((db) => seenIn(db, account, folderId).where("uid", ">=", cursor.uidNext).execute());
      }, transaction),

      listSeenFrom: Effect.fn("FollowedMailboxes.listSeenFrom")(function* (account, folderId, uid) {
        const rows = yield* query((db) =>
          db
            .selectFrom("seen_message")
            .selectAll()
            .where("account", "=", account)
            .where("folder_id", "=", folderId)
            .where("uid", ">=", uid)
            .orderBy("uid")
            .limit(AT_ONCE)
            .execute(),
        );
        return rows.map(seenOfRow);
      }),

      backfill: Effect.fn("FollowedMailboxes.backfill")(function* (account, folderId, { from, below }, messages) {
        yield* query((db) =>
          db
            .updateTable("followed_mailbox")
            .set({ seen_from: from })
            .where("account", "=", account)
            .where("folder_id", "=", folderId)
            .execute(),
        );
        yield* query((db) => seenIn(db, account, folderId).where("uid", ">=", from).where("uid", "<", below).execute());
        yield* insert(account, folderId, messages);
      }, transaction),

      findSeen: Effect.fn("FollowedMailboxes.findSeen")(function* (account, folderId, uids) {
        const found = yield* Effect.forEach(Array.chunksOf(uids, AT_ONCE), (some) =>
          query((db) =>
            db
              .selectFrom("seen_message")
              .selectAll()
              .where("account", "=", account)
              .where("folder_id", "=", folderId)
              .where("uid", "in", some)
              .execute(),
          ),
        );
        return byUid(found.flat());
      }),

      save: Effect.fn("FollowedMailboxes.save")(function* (
        account,
        folderId,
        { cursor, seenFrom, reset, remember, forget: gone },
      ) {
        yield* put(account, folderId, cursorColumns(cursor, seenFrom));
        if (reset) yield* query((db) => seenIn(db, account, folderId).execute());
        yield* forget(account, folderId, reset ? [] : [...gone, ...remember.map(({ uid }) => uid)]);
        yield* insert(account, folderId, remember);
      }, transaction),

      expect: Effect.fn("FollowedMailboxes.expect")(function* (account, folderId, messages) {
        const rows = messages.map((message): ExpectedMessageRow => ({
          ...columnsOf(account, folderId, message),
          id: message.id,
          expires_at: message.until,
        }));
        for (const some of Array.chunksOf(rows, AT_ONCE)) {
          yield* query((db) => db.insertInto("expected_message").values(some).execute());
        }
      }),

      listExpected: Effect.fn("FollowedMailboxes.listExpected")(function* (account, folderId, now) {
        const rows = yield* query((db) =>
          db
            .selectFrom("expected_message")
            .selectAll()
            .where("account", "=", account)
            .where("folder_id", "=", folderId)
            .where("expires_at", ">=", now)
            .execute(),
        );
        return rows.map((row): ExpectedMessage => ({ ...fingerprintOf(row), id: row.id, until: row.expires_at }));
      }),

      forgetExpected: Effect.fn("FollowedMailboxes.forgetExpected")(function* (account, folderId, ids) {
        for (const some of Array.chunksOf(ids, AT_ONCE)) {
          yield* query((db) =>
            db
              .deleteFrom("expected_message")
              .where("account", "=", account)
              .where("folder_id", "=", folderId)
              .where("id", "in", some)
              .execute(),
          );
        }
      }),

      ...leftMessages(query),
      ...allFolders({ query, transaction }),

      removeOld: Effect.fn("FollowedMailboxes.removeOld")(function* (expectedBefore, leftBefore, limit) {
        const expected = yield* query((db) =>
          db
            .deleteFrom("expected_message")
            .where("id", "in", (some) =>
              some.selectFrom("expected_message").select("id").where("expires_at", "<", expectedBefore).limit(limit),
            )
            .executeTakeFirstOrThrow(),
        );
        const left = yield* query((db) =>
          db
            .deleteFrom("left_message")
            .where("id", "in", (some) =>
              some.selectFrom("left_message").select("id").where("left_at", "<", leftBefore).limit(limit),
            )
            .executeTakeFirstOrThrow(),
        );
        return expected.numDeletedRows === BigInt(limit) || left.numDeletedRows === BigInt(limit);
      }),

      erase: Effect.fn("FollowedMailboxes.erase")(function* (account, limit) {
        for (const table of ["followed_mailbox", "expected_message", "left_message"] as const) {
          yield* query((db) => db.deleteFrom(table).where("account", "=", account).execute());
        }
        const { numAffectedRows } = yield* query((db) =>
          sql`delete from ${sql.table("seen_message")} where (account, folder_id, uid) in (
            select account, folder_id, uid from ${sql.table("seen_message")} where account = ${account} limit ${limit}
          )`.execute(db),
        );
        return numAffectedRows === BigInt(limit);
      }),
    });
  }),
);
