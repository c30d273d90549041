import type { StoreUnavailable } from "@postern/core/shared";
import { Effect, Option } from "effect";
import type { Kysely, SelectQueryBuilder } from "kysely";
import type { Database } from "./Database.ts";
import type { Tables } from "../tables/Tables.ts";

/**
 * Reads a row, calls `modify` and writes the result, in one transaction that locks the row. `modify` gets none if the
 * row does not exist. If `modify` fails, its own writes by `database.query` are rolled back.
 */
export const modifyLocked = <TB extends keyof Tables, Row, A, E, R>(
  database: Database["Service"],
  select: (db: Kysely<Tables>) => SelectQueryBuilder<Tables, TB, Row>,
  modify: (row: Option.Option<Row>) => Effect.Effect<A, E, R>,
): Effect.Effect<A, E | StoreUnavailable, R> =>
  database
    .query((db) => database.lockRows(select(db)).executeTakeFirst())
    .pipe(
      Effect.flatMap((row) => modify(Option.fromUndefinedOr(row as Row | undefined))),
      database.transaction,
    );
