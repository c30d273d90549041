import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Postgres } from "@postern/testkit";
import { Effect, Layer, Redacted } from "effect";
import {
  DataDir,
  type Database,
  postgres,
  type PostgresOptions,
  sqlite,
  sqliteInMemory,
  UploadContentsInSql,
} from "../src/index.ts";
import { cipher } from "./cipher.ts";

/** A folder that is deleted with the scope. */
export const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "postern-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true })),
);

export const inMemory = sqliteInMemory.pipe(Layer.provideMerge(cipher));

export const inFolder = (dataDir: string) =>
  Layer.unwrap(Effect.map(DataDir.hold(dataDir), (folder) => sqlite({ folder }))).pipe(Layer.provideMerge(cipher));

export const inTemporaryFolder = Layer.unwrap(Effect.map(temporaryFolder, inFolder));

export const onPostgres = (url: string, options: Omit<PostgresOptions, "url"> = {}) =>
  postgres({ url: Redacted.make(url), ...options }).pipe(Layer.provideMerge(cipher));

/** A new database on this server. */
export const onNewDatabaseOf = (server: Layer.Layer<Postgres>, options: Parameters<typeof onPostgres>[1] = {}) =>
  Layer.unwrap(
    Effect.gen(function* () {
      return onPostgres(yield* (yield* Postgres).newDatabase, options);
    }),
  ).pipe(Layer.provide(server));

/** A new database on a real PostgreSQL. */
export const onNewPostgres = onNewDatabaseOf(Postgres.layer);

/** All stores of a database, including uploaded bytes. */
export const withUploads = <A, E>(stores: Layer.Layer<A | Database, E>) =>
  Layer.provideMerge(UploadContentsInSql, stores);
