import type { AccountId, MessageRef } from "@postern/core/shared";
import { type Move, MovedMessages } from "@postern/core/messages";
import { Array, Effect, Layer, Option } from "effect";
import { type RawBuilder, sql } from "kysely";
import { Database } from "../database/Database.ts";

/** How many rows are in one INSERT, because a statement has a limited number of parameters (SQLite: 32,766, PostgreSQL: 65,535). */
const ROWS_AT_ONCE = 1_000;

/** The new locations of moved messages, in the table `moved_message` (spec 5). */
export const layer: Layer.Layer<MovedMessages, never, Database> = Layer.effect(
  MovedMessages,
  Effect.gen(function* () {
    const { query, transaction } = yield* Database;

    const record = Effect.fn("MovedMessages.record")(function* (
      account: AccountId,
      moves: ReadonlyArray<Move>,
      movedAt: number,
    ) {
      for (const some of Array.chunksOf(moves, ROWS_AT_ONCE)) {
        const rows = some.map(({ from, to }) => ({
          account,
          folder_id: from.folderId,
          uid_validity: from.uidValidity,
          uid: from.uid,
          to_folder_id: to.folderId,
          to_uid_validity: to.uidValidity,
          to_uid: to.uid,
          moved_at: movedAt,
        }));
        yield* query((db) =>
          db
            .insertInto("moved_message")
            .values(rows)
            .onConflict((conflict) =>
              conflict.columns(["account", "folder_id", "uid_validity", "uid"]).doUpdateSet((row) => ({
                to_folder_id: row.ref("excluded.to_folder_id"),
                to_uid_validity: row.ref("excluded.to_uid_validity"),
                to_uid: row.ref("excluded.to_uid"),
                moved_at: row.ref("excluded.moved_at"),
              })),
            )
            .execute(),
        );
      }
    }, transaction);

    const find = Effect.fn("MovedMessages.find")(function* (account: AccountId, from: MessageRef) {
      const row = yield* query((db) =>
        db
          .selectFrom("moved_message")
          .select(["to_folder_id", "to_uid_validity", "to_uid"])
          .where("account", "=", account)
          .where("folder_id", "=", from.folderId)
          .where("uid_validity", "=", from.uidValidity)
          .where("uid", "=", from.uid)
          .executeTakeFirst(),
      );
      return Option.map(Option.fromUndefinedOr(row), (to) => ({
        folderId: to.to_folder_id,
        uidValidity: to.to_uid_validity,
        uid: to.to_uid,
      }));
    });

    const eraseSome = Effect.fnUntraced(function* (condition: RawBuilder<boolean>, limit: number) {
      const { numAffectedRows } = yield* query((db) =>
        sql`delete from ${sql.table("moved_message")} where (account, folder_id, uid_validity, uid) in (
          select account, folder_id, uid_validity, uid from ${sql.table("moved_message")} where ${condition} limit ${limit}
        )`.execute(db),
      );
      return numAffectedRows === BigInt(limit);
    });
    const erase = Effect.fn("MovedMessages.erase")((account: AccountId, limit: number) =>
      eraseSome(sql`account = ${account}`, limit),
    );
    const removeOld = Effect.fn("MovedMessages.removeOld")((before: number, limit: number) =>
      eraseSome(sql`moved_at < ${before}`, limit),
    );

    return MovedMessages.of({ record, find, erase, removeOld });
  }),
);
