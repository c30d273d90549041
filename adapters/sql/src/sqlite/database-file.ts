import { statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import type { DatabaseFile } from "../database/Engine.ts";

/** The number of pages in the journal at which a commit runs a checkpoint (SQLite's default). */
const CHECKPOINT_PAGES = 1_000;

/**
 * The database file without its journal. Only checkpoints write to the file, so without checkpoints it can be copied
 * while commits go to the journal. This code bypasses kysely, because SQLite runs these pragmas when they are prepared,
 * and kysely prepares a statement only once.
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
