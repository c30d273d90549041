import type { DatabaseSync } from "node:sqlite";
import { Effect } from "effect";

/** The `auto_vacuum` mode in which free pages are returned on request (sqlite.org/pragma.html). */
const INCREMENTAL = 2;
/** The number of free pages kept for later writes: 4 MiB. */
const KEPT_PAGES = 1_024;
/** The number of pages returned at a time, which takes one or two milliseconds. */
const PAGES_AT_ONCE = 64;

const numberOf = (database: DatabaseSync, pragma: string): number =>
  Number(Object.values(database.prepare(`pragma ${pragma}`).get() ?? {})[0]);

/** Prepares an empty file for returning free pages later. On a file with data the pragma would write. */
export const makeNewShrinkable = (database: DatabaseSync): void => {
  if (numberOf(database, "page_count") === 0) database.exec("pragma auto_vacuum = incremental");
};

/** Rebuilds a file that was created without support for returning free pages. Runs once. */
export const makeShrinkable = (database: DatabaseSync): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (numberOf(database, "auto_vacuum") === INCREMENTAL) return Effect.void;
    return Effect.logInfo("the database file is rebuilt once, so that it can shrink from now on").pipe(
      Effect.andThen(Effect.try(() => database.exec("pragma auto_vacuum = incremental; vacuum;"))),
      Effect.catch(({ cause }) => Effect.logWarning("the database file cannot be rebuilt and will not shrink", cause)),
    );
  });

/** Returns some free pages to the file system; false when none is left. */
export const shrink = (database: DatabaseSync): boolean => {
  if (numberOf(database, "freelist_count") <= KEPT_PAGES || numberOf(database, "auto_vacuum") !== INCREMENTAL) {
    return false;
  }
  // This code bypasses kysely, because kysely would return one page per requested row.
  database.exec(`pragma incremental_vacuum(${PAGES_AT_ONCE})`);
  return true;
};
