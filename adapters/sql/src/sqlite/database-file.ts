import { statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import type { DatabaseFile } from "../Engine.ts";

/** SQLite's own default: from this many pages of journal on, a commit brings them into the file. */
const CHECKPOINT_PAGES = 1_000;

/**
 * The file beside its journal. It is written to by checkpoints alone, so without those it can be copied while commits go
 * on in the journal. Not through kysely: SQLite runs such pragmas when they are prepared, which kysely does once.
 */
export const databaseFile = (database: DatabaseSync, path: string): DatabaseFile => {
  const stamp = () => {
    const { mtimeMs, size } = statSync(path);
    return `${mtimeMs} ${size}`;
  };
  return {
    path,
    hold: () => {
      const { busy } = database.prepare("pragma wal_checkpoint(truncate)").get() as { readonly busy: number };
      if (busy !== 0) return undefined;
      database.exec("pragma wal_autocheckpoint = 0");
      const held = stamp();
      return () => {
        if (database.isOpen) database.exec(`pragma wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
        return database.isOpen && stamp() === held;
      };
    },
  };
};
