import type { DatabaseSync } from "node:sqlite";
import { Effect } from "effect";

/** `auto_vacuum` of a file whose free pages are given back when asked (sqlite.org/pragma.html). */
const INCREMENTAL = 2;
/** Free pages that are kept for what is written next: 4 MiB. */
const KEPT_PAGES = 1_024;
/** Pages given back at once: a millisecond or two. */
const PAGES_AT_ONCE = 64;

const numberOf = (database: DatabaseSync, pragma: string): number =>
  Number(Object.values(database.prepare(`pragma ${pragma}`).get() ?? {})[0]);

/** Lets a file that is still empty give its free pages back. Said of one that is not, it would be written to. */
export const makeNewShrinkable = (database: DatabaseSync): void => {
  if (numberOf(database, "page_count") === 0) database.exec("pragma auto_vacuum = incremental");
};

/** Rebuilds a file, once, that was made before its free pages could be given back. */
export const makeShrinkable = (database: DatabaseSync): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (numberOf(database, "auto_vacuum") === INCREMENTAL) return Effect.void;
    return Effect.logInfo("the database file is rebuilt once, so that it can shrink from now on").pipe(
      Effect.andThen(Effect.try(() => database.exec("pragma auto_vacuum = incremental; vacuum;"))),
      Effect.catch(({ cause }) => Effect.logWarning("the database file cannot be rebuilt and will not shrink", cause)),
    );
  });

/** Gives some free pages back to the file system; false once there is no more to give. */
export const shrink = (database: DatabaseSync): boolean => {
  if (numberOf(database, "freelist_count") <= KEPT_PAGES || numberOf(database, "auto_vacuum") !== INCREMENTAL) {
    return false;
  }
  // Not through kysely: it gives back a page for each row that is asked for.
  database.exec(`pragma incremental_vacuum(${PAGES_AT_ONCE})`);
  return true;
};
