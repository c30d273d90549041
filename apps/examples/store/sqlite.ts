import { DatabaseSync } from "node:sqlite";
import { StoreUnavailable } from "@postern/core/shared";
import { Effect } from "effect";

const TABLE = "CREATE TABLE IF NOT EXISTS parts (upload TEXT, n INTEGER, bytes BLOB, PRIMARY KEY (upload, n))";

/** Opens the database, which is closed together with the service; returns its statements. */
export const open = Effect.fn(function* (file: string) {
  const opening = Effect.sync(() => new DatabaseSync(file));
  const database = yield* Effect.acquireRelease(opening, (opened) => Effect.sync(() => opened.close()));
  database.exec(TABLE);
  return {
    insert: database.prepare("INSERT INTO parts VALUES (?, ?, ?)"),
    select: database.prepare("SELECT bytes FROM parts WHERE upload = ? AND n = ?"),
    remove: database.prepare("DELETE FROM parts WHERE upload = ?"),
  };
});

/** Runs a statement; if the database fails, the port's error gives the reason. */
export const attempt = <A>(run: () => A): Effect.Effect<A, StoreUnavailable> =>
  Effect.try({ try: run, catch: (error) => new StoreUnavailable({ detail: String(error) }) });

export const missing = (id: string): Effect.Effect<never, StoreUnavailable> =>
  Effect.fail(new StoreUnavailable({ detail: `there is no upload ${id}` }));
