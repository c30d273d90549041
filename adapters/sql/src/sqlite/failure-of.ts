import type { Failure } from "../database/Engine.ts";

/** Result codes of SQLite (sqlite.org/rescode.html). */
const UNAVAILABLE = new Set([
  5, // BUSY
  6, // LOCKED
  7, // NOMEM
  8, // READONLY
  10, // IOERR
  13, // FULL
  14, // CANTOPEN
]);

/** Returns the primary result code of an SQLite error. */
export const resultCode = (error: unknown): number | undefined => {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  // The low byte is the primary code.
  return code === "ERR_SQLITE_ERROR" && typeof errcode === "number" ? errcode & 0xff : undefined;
};

export const failureOf = (error: unknown): Failure => {
  if (!(error instanceof Error)) return "defect";
  if ((error as NodeJS.ErrnoException).syscall === "fdatasync") return "unavailable";
  return UNAVAILABLE.has(resultCode(error) ?? -1) || CLOSED.test(error.message) ? "unavailable" : "defect";
};

/** Messages of node:sqlite and of its prepared statements after the database was closed. */
const CLOSED = /^(database is not open|statement has been finalized)$/;
