import type { MovedMessages } from "@postern/core/watch";
import { Effect } from "effect";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../database/Database.ts";

const MOVED = sql.table("moved_message");

/** Deletes rows of the tables `moved_message` and `begun_move`. */
export const limitsOfMoves = (
  query: Database["Service"]["query"],
): Pick<MovedMessages["Service"], "removeOld" | "trim" | "erase"> => {
  /** Deletes rows by the condition; returns true if more rows may match. */
  const deleteSome = Effect.fnUntraced(function* (
    table: "moved_message" | "begun_move",
    condition: RawBuilder<boolean>,
    limit: number,
  ) {
    const key = sql.raw(`account, folder_id, uid_validity, uid${table === "begun_move" ? ", to_folder_id" : ""}`);
    const { numAffectedRows } = yield* query((db) =>
      sql`delete from ${sql.table(table)} where (${key}) in (
          select ${key} from ${sql.table(table)} where ${condition} limit ${limit}
        )`.execute(db),
    );
    return numAffectedRows === BigInt(limit);
  });

  return {
    removeOld: Effect.fn("MovedMessages.removeOld")((before, limit) =>
      deleteSome("begun_move", sql`begun_at < ${before}`, limit),
    ),

    trim: Effect.fn("MovedMessages.trim")(function* (most, limit) {
      const { rows } = yield* query((db) =>
        sql<{ readonly account: string; readonly held: number }>`
            select account, count(*) as held from ${MOVED} group by account having count(*) > ${most} limit 1`.execute(
          db,
        ),
      );
      if (rows[0] === undefined) return false;
      const { account, held } = rows[0];
      const oldest = sql`select to_folder_id, to_uid_validity, to_uid from ${MOVED} where account = ${account}
          order by moved_at limit ${Math.min(limit, Number(held) - most)}`;
      yield* query((db) =>
        sql`delete from ${MOVED} where account = ${account}
            and (to_folder_id, to_uid_validity, to_uid) in (${oldest})`.execute(db),
      );
      return true;
    }),

    erase: Effect.fn("MovedMessages.erase")(function* (account, limit) {
      const isOfAccount = sql<boolean>`account = ${account}`;
      const more = yield* deleteSome("begun_move", isOfAccount, limit);
      return (yield* deleteSome("moved_message", isOfAccount, limit)) || more;
    }),
  };
};
