import { sql } from "kysely";
import type { LockName, LockRows } from "../Engine.ts";

/** Others wait for these rows until the transaction ends; what merely refers to them may come and go. */
export const lockRows: LockRows = (query) => query.forNoKeyUpdate();

/** Keeps other transactions from removing these rows until this one ends. */
export const keepRows: LockRows = (query) => query.forKeyShare();

/** An advisory lock on a 64-bit hash of the name: two names that share one merely wait for each other. */
export const lockName: LockName = (db, name) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db);

/** What another claimer holds is its own. */
export const skipLocked = sql`for no key update skip locked`;
