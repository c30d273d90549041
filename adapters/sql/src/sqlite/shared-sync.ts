import { fdatasync, openSync, closeSync } from "node:fs";
import { promisify } from "node:util";
import type { DatabaseSync } from "node:sqlite";
import { Effect, type Scope } from "effect";
import type { Durability } from "../database/Engine.ts";

const syncData = promisify(fdatasync);

/**
 * Flushes commits to disk outside the main thread, with one sync for all waiting commits. SQLite itself would block the
 * main thread for each commit. Requires `synchronous = normal` and a write-ahead log, which a power failure truncates
 * but does not damage. No commit is reported before its sync, except after `overlook`. After a failed sync no further
 * commit is confirmed.
 */
export const sharedSync = Effect.fnUntraced(function* (
  database: DatabaseSync,
  file: string,
  sync: (log: number) => Promise<void> = syncData,
): Effect.fn.Return<Durability, never, Scope.Scope> {
  // Closing another handle to the database file would release its locks, but the log has no locks.
  const log = yield* Effect.acquireRelease(
    Effect.sync(() => openSync(`${file}-wal`, "r")),
    (opened) => Effect.sync(() => closeSync(opened)),
  );
  const changes = database.prepare("select total_changes() as total");
  let total = changes.get()?.["total"];
  let [committed, synced] = [0, 0];
  let running: Promise<void> | undefined;

  const round = async () => {
    const upTo = committed;
    await sync(log);
    synced = upTo;
    running = undefined;
  };
  return {
    ended: () => {
      if (!database.isOpen) return;
      const now = changes.get()?.["total"];
      if (now !== total) committed++;
      total = now;
    },
    isDurable: () => synced === committed,
    overlook: () => void (total = changes.get()?.["total"]),
    durable: async () => {
      const mine = committed;
      // A sync that was already in progress does not cover later commits.
      while (synced < mine) await (running ??= round());
    },
  };
});
