import { Effect, Option } from "effect";
import type { Expression, ExpressionBuilder, SqlBool } from "kysely";
import type { Tables } from "../tables/Tables.ts";

/** A location in a list of records by age. */
type Place = { readonly at: number; readonly id: string } | undefined;

/**
 * Returns the condition that a row comes after a location in a list that is sorted from newest to oldest, then by id.
 */
export const isAfter =
  (place: Place, ids: "<" | ">") =>
  <T extends "session" | "service_key" | "outgoing" | "agent_grant" | "assistant_client">(
    where: ExpressionBuilder<Tables, T>,
  ): Expression<SqlBool> => {
    const row = where as unknown as ExpressionBuilder<Tables, "session">;
    if (place === undefined) return row.lit(true);
    const isAsOld = row.and([row("created_at", "=", place.at), row("id", ids, place.id)]);
    return row.or([row("created_at", "<", place.at), isAsOld]);
  };

/** Reads up to `limit` records after a location; skips unreadable rows, which do not end the list. */
export const listAfter = Effect.fnUntraced(function* <
  Row extends { readonly id: string; readonly created_at: number },
  A,
  E,
  E2,
>(
  place: Place,
  limit: number,
  select: (place: Place, limit: number) => Effect.Effect<ReadonlyArray<Row>, E>,
  read: (row: Row) => Effect.Effect<Option.Option<A>, E2>,
) {
  const records: Array<A> = [];
  for (let after = place; ;) {
    const wanted = limit - records.length;
    const rows = yield* select(after, wanted);
    for (const row of rows) records.push(...Option.toArray(yield* read(row)));
    const last = rows.at(-1);
    if (last === undefined || rows.length < wanted || records.length === limit) return records;
    after = { at: last.created_at, id: last.id };
  }
});
