import type { Transaction } from "@postern/core/shared";
import { Effect, Layer } from "effect";
import { Database } from "./database/Database.ts";
import type { PostgresStartError, SqliteStartError } from "./database/errors.ts";
import type { PostgresOptions } from "./postgres/connection.ts";
import type { CopyError } from "./sqlite/copy-database.ts";
import type { SqliteOptions } from "./sqlite/connection.ts";
import type { DataDir } from "./sqlite/DataDir.ts";
import type { RecordCipher } from "./database/RecordCipher.ts";
import { Stores } from "./stores.ts";

/** The database, transactions over it, and every store in it. */
export type Persistence = Database | Transaction | Layer.Success<typeof Stores>;

/** Loads a driver on demand, so that a service does not load the driver of the other database. */
const embedded = Effect.promise(() => import("./sqlite/connection.ts"));
const copying = Effect.promise(() => import("./sqlite/copy-database.ts"));
const server = Effect.promise(() => import("./postgres/connection.ts"));

/** The embedded database in a locked folder (spec 1); created if missing. */
export const sqlite = (options: SqliteOptions): Layer.Layer<Persistence, SqliteStartError, RecordCipher> =>
  Layer.provideMerge(
    Stores,
    Database.layer(Effect.flatMap(embedded, ({ connectToFolder }) => connectToFolder(options))),
  );

/**
 * Creates the database of a folder if there is none, and runs `first` while no other process can open the database. The
 * argument of `first` tells whether the database already contains sealed secrets.
 */
export const beginSqlite = <A, E>(
  folder: DataDir,
  first: (hasSecrets: boolean) => Effect.Effect<A, E>,
): Effect.Effect<A, E | SqliteStartError> =>
  Effect.gen(function* () {
    const { connectToFolder } = yield* embedded;
    const { kysely } = yield* connectToFolder({ folder });
    const secret = yield* Effect.promise(() => kysely.selectFrom("service_secret").select("name").executeTakeFirst());
    return yield* first(secret !== undefined);
  }).pipe(Effect.scoped);

/** An embedded database in memory that lasts as long as its scope. */
export const sqliteInMemory: Layer.Layer<Persistence, never, RecordCipher> = Layer.provideMerge(
  Stores,
  Database.layer(Effect.flatMap(embedded, ({ connectToMemory }) => connectToMemory)),
);

/**
 * PostgreSQL, for one or more processes (spec 1). Available once the database answers and is migrated; retries for at
 * most `startTimeout`, with a warning in the log.
 */
export const postgres = (options: PostgresOptions): Layer.Layer<Persistence, PostgresStartError, RecordCipher> =>
  Layer.provideMerge(Stores, Database.layer(Effect.flatMap(server, ({ connect }) => connect(options))));

/** Copies the embedded database of a folder to a file, even while another process uses it. */
export const copySqlite = (dataDir: string, file: string): Effect.Effect<void, CopyError> =>
  Effect.flatMap(copying, ({ copyDatabase }) => copyDatabase(dataDir, file));
