import type { CompiledQuery, Kysely, RawBuilder } from "kysely";
import type { Tables } from "./Tables.ts";

/** Returns a query that is compiled when it first runs, because compiling a long one costs more than running it. */
export const compiledOnce = <Row>(
  statement: RawBuilder<Row>,
): ((db: Kysely<Tables>) => Promise<ReadonlyArray<Row>>) => {
  let compiled: CompiledQuery<Row> | undefined;
  return async (db) => (await db.executeQuery((compiled ??= statement.compile(db)))).rows;
};
