import type { StoreUnavailable } from "@postern/core/shared";
import { Effect, Option } from "effect";
import type { Kysely, SelectQueryBuilder } from "kysely";
import type { Database } from "./Database.ts";
import type { Tables } from "./Tables.ts";

/**
 * Reads a row, decides, writes, in one transaction that keeps everybody else from that row until it ends. `modify`
 * gets none where there is no such row; what it writes with `database.query` is undone when it fails.
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
