import { Database } from "@postern/sql";
import { Effect } from "effect";
import { type RawBuilder, sql } from "kysely";

/** The tables of past deliveries, with the columns that distinguish copies of a row. */
const TABLES = [
  { table: "event", ids: ["id"] },
  { table: "delivery", ids: ["id", "event_id"] },
  { table: "attempt", ids: ["delivery_id"] },
] as const;

/**
 * Copies the past deliveries until there are this many, the number in a service after two weeks. Each round doubles
 * them.
 */
export const copyDelivered = Effect.fnUntraced(function* (deliveries: number) {
  const { query } = yield* Database;
  const found = yield* query((db) => db.introspection.getTables());
  const columnsOf = (table: string) => found.find(({ name }) => name === table)!.columns.map(({ name }) => name);
  const count = query(async (db) => {
    const { rows } = await sql<{ readonly n: number }>`select count(*) as n from delivery`.execute(db);
    return Number(rows[0]!.n);
  });
  for (let round = 1; (yield* count) < deliveries; round++) {
    for (const { table, ids } of TABLES) {
      const columns = columnsOf(table);
      const copied = columns.map((column): RawBuilder<unknown> => {
        const isId = (ids as ReadonlyArray<string>).includes(column);
        return isId ? sql`${sql.ref(column)} || ${sql.lit(`-${round}`)}` : sql.ref(column);
      });
      yield* query((db) =>
        sql`insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
            select ${sql.join(copied)} from ${sql.table(table)}`.execute(db),
      );
    }
  }
});
