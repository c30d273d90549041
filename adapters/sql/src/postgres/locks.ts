import { sql } from "kysely";
import type { LockName, LockRows } from "../database/Engine.ts";

/** Makes other transactions wait for these rows until this one ends. Rows that reference them can still be inserted. */
export const lockRows: LockRows = (query) => query.forNoKeyUpdate();

/** Keeps other transactions from removing these rows until this one ends. */
export const keepRows: LockRows = (query) => query.forKeyShare();

/**
 * Returns a function that takes an advisory lock on a name within a schema. The lock is on a 64-bit hash, so two names
 * with the same hash wait for each other.
 */
export const namedLocksOf =
  (schema: string | undefined): LockName =>
  (db, name) =>
    sql`select pg_advisory_xact_lock(hashtextextended(${schema === undefined ? name : `${schema} ${name}`}, 0))`.execute(
      db,
    );

/** Skips rows that another claimer has locked. */
export const skipLocked = sql`for no key update skip locked`;
