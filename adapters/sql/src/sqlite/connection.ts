import { closeSync, openSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Clock, Effect, type Scope } from "effect";
import type { Engine } from "../database/Engine.ts";
import {
  DatabaseMissing,
  DatabaseTooNew,
  DataDirInUse,
  DataDirUnusable,
  type SqliteStartError,
} from "../database/errors.ts";
import { migrate } from "../database/migrate.ts";
import { migrations } from "../migrations/index.ts";
import type { DataDir } from "./DataDir.ts";
import { deliveryClaimer } from "./claim-deliveries.ts";
import { deliveryTimesReader } from "./delivery-times.ts";
import { deliverySettler } from "./settle-deliveries.ts";
import { databaseFile } from "./database-file.ts";
import { directKysely, rollBack } from "./direct-kysely.ts";
import { failureOf, resultCode } from "./failure-of.ts";
import { outgoingWritesIn } from "./outgoing-writes.ts";
import { tableOf } from "./table-of.ts";
import { keepRows, lockName, lockRows, skipLocked } from "./locks.ts";
import { makeNewShrinkable, makeShrinkable, shrink } from "./free-pages.ts";
import { sharedSync } from "./shared-sync.ts";

/**
 * The time in milliseconds for which SQLite waits for another program's lock on the file. The wait blocks the main
 * thread.
 */
const BUSY_MILLIS = 1_000;

/** The name of the database file. */
export const DATABASE = "postern.db";

/** Maximum size in bytes to which a grown journal is truncated. */
const JOURNAL_BYTES = 64 * 1024 * 1024;

const MEMORY = ":memory:";
const BUSY_CODE = 5;

/** The permanent errors PERM, CORRUPT and NOTADB; `failureOf` maps other errors to `unavailable`. */
const UNUSABLE = new Set([3, 11, 26]);

/** A folder, and whether its database must exist: a missing or empty database is then refused instead of created. */
export interface SqliteOptions {
  /** The folder of the database file, which `DataDir` holds for this process. */
  readonly folder: DataDir;
  /** Whether to fail if the database is missing instead of creating it; false by default. */
  readonly mustExist?: boolean;
}

/** Opens and migrates the database in a folder that only this process uses; it stays open until the scope ends. */
export const connectToFolder = ({
  folder: { path },
  mustExist = false,
}: SqliteOptions): Effect.Effect<Engine, SqliteStartError, Scope.Scope> =>
  connect(join(path, DATABASE), path, mustExist);

/** A database in memory that lasts as long as its scope. */
export const connectToMemory: Effect.Effect<Engine, never, Scope.Scope> = Effect.suspend(() =>
  Effect.orDie(connect(MEMORY, MEMORY, false)),
);

const connect = Effect.fnUntraced(function* (file: string, dataDir: string, mustExist: boolean) {
  const refuse = (error: unknown): Effect.Effect<never, SqliteStartError> => {
    if (error instanceof DatabaseTooNew || error instanceof DatabaseMissing) return Effect.fail(error);
    const code = resultCode(error);
    if (code === BUSY_CODE) return Effect.fail(new DataDirInUse({ dataDir, pid: null }));
    const isOurs = code === undefined ? !isFromSystem(error) : !UNUSABLE.has(code) && failureOf(error) === "defect";
    return isOurs ? Effect.die(error) : Effect.fail(new DataDirUnusable({ dataDir, detail: (error as Error).message }));
  };
  const database = yield* Effect.acquireRelease(
    Effect.catch(
      Effect.try(() => (mustExist ? openBegun(file, dataDir) : open(file))),
      ({ cause }) => refuse(cause),
    ),
    (opened) => Effect.sync(() => opened.close()),
  );
  const kysely = directKysely(database);
  const now = yield* Clock.currentTimeMillis;
  yield* Effect.catch(
    Effect.tryPromise(() => migrate(kysely, migrations, now, async () => {})),
    ({ cause }) => refuse(cause),
  );
  if (file !== MEMORY) yield* makeShrinkable(database);
  const durability = file === MEMORY ? undefined : yield* sharedSync(database, file);
  return {
    kysely,
    begin: async () => {
      database.exec("begin");
      return { db: kysely, keep: async () => database.exec("commit"), undo: async () => rollBack(database) };
    },
    singleConnection: true,
    failureOf,
    lockRows,
    keepRows,
    claimDeliveries: deliveryClaimer(database, kysely, durability),
    settleDeliveries: deliverySettler(database),
    deliveryTimes: deliveryTimesReader(database, kysely),
    outgoing: outgoingWritesIn(database, durability),
    tableOf,
    lockName,
    skipLocked,
    durability,
    file: file === MEMORY ? undefined : databaseFile(database, file),
    shrink: file === MEMORY ? undefined : () => shrink(database),
    signals: undefined,
    time: undefined,
    pool: () => undefined,
  } satisfies Engine;
});

const isFromSystem = (error: unknown): boolean => typeof (error as NodeJS.ErrnoException).errno === "number";

const open = (file: string) => {
  // The file is created here, because SQLite would make the file and its journals readable by all users.
  if (file !== MEMORY) closeSync(openSync(file, "a", 0o600));
  const database = new DatabaseSync(file, { timeout: BUSY_MILLIS, enableForeignKeyConstraints: true });
  try {
    // This must be set before the journal is first used. The file then stays locked, and the journal's index needs no
    // shared memory.
    database.exec("pragma locking_mode = exclusive;");
    makeNewShrinkable(database);
    database.exec(
      `pragma journal_mode = wal; pragma synchronous = normal; pragma journal_size_limit = ${JOURNAL_BYTES};`,
    );
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
};

/**
 * Opens a database that must exist. Checks the file first, because SQLite would create a missing file and discard the
 * journal of an empty one.
 */
export const openBegun = (file: string, dataDir: string) => {
  if (!statSync(file, { throwIfNoEntry: false })?.size) throw new DatabaseMissing({ dataDir });
  const database = open(file);
  if (database.prepare("select 1 from sqlite_schema where name = 'migration'").get() !== undefined) return database;
  database.close();
  throw new DatabaseMissing({ dataDir });
};
