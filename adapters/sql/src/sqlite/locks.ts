import { sql } from "kysely";
import type { LockName, LockRows } from "../database/Engine.ts";

/** Returns the query unchanged: transactions run one after the other on a single connection, so rows need no lock. */
export const lockRows: LockRows = (query) => query;
export const keepRows: LockRows = (query) => query;
export const lockName: LockName = async () => {};
export const skipLocked = sql``;
