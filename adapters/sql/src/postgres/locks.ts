import { sql } from "kysely";
import type { LockName, LockRows } from "../database/Engine.ts";

/** Other transactions wait for these rows until this one ends; rows that reference them may still be inserted. */
export const lockRows: LockRows = (query) => query.forNoKeyUpdate();

/** Keeps other transactions from removing these rows until this one ends. */
export const keepRows: LockRows = (query) => query.forKeyShare();

/**
 * Returns a function that takes an advisory lock on a name within a schema: on its 64-bit hash, so that a collision makes
 * two names wait for each other.
 */
export const namedLocksOf =
  (schema: string | undefined): LockName =>
  (db, name) =>
    sql`select pg_advisory_xact_lock(hashtextextended(${schema === undefined ? name : `${schema} ${name}`}, 0))`.execute(
      db,
    );

/** Rows locked by another claimer are skipped. */
export const skipLocked = sql`for no key update skip locked`;
