import { fdatasync, openSync, closeSync } from "node:fs";
import { promisify } from "node:util";
import type { DatabaseSync } from "node:sqlite";
import { Effect, type Scope } from "effect";
import type { Durability } from "../Engine.ts";

const syncData = promisify(fdatasync);

/**
 * Brings commits to the disk, all that wait for it by one sync, beside the main thread; SQLite itself would stop it for
 * one at each. It needs a write-ahead log and `synchronous = normal`, with which the log is whole after a power cut, only
 * shorter: no caller was told of a commit that was not synced. After a failed sync no further commit is confirmed.
 */
export const sharedSync = Effect.fnUntraced(function* (
  database: DatabaseSync,
  file: string,
  sync: (log: number) => Promise<void> = syncData,
): Effect.fn.Return<Durability, never, Scope.Scope> {
  // Closing another handle to the database itself would let go of its locks; the log has none.
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
    durable: async () => {
      const mine = committed;
      // One that was under way before says nothing about what came after it began.
      while (synced < mine) await (running ??= round());
    },
  };
});
