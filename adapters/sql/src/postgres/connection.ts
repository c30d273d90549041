import { Clock, Duration, Effect, Redacted, type Scope } from "effect";
import { Kysely, sql } from "kysely";
import { Client, type Pool, type PoolConfig } from "pg";
import type { Engine, PoolState } from "../database/Engine.ts";
import { DatabaseRefused, type PostgresStartError } from "../database/errors.ts";
import { isOurs, migrate } from "../database/migrate.ts";
import { migrations } from "../migrations/index.ts";
import type { Tables } from "../tables/Tables.ts";
import { claimDeliveries } from "./claim-deliveries.ts";
import { deliveryTimes } from "./delivery-times.ts";
import { makeFunctions } from "./functions.ts";
import { settleDeliveries } from "./settle-deliveries.ts";
import { dialect, openPool } from "./dialect.ts";
import { failureOf } from "./failure-of.ts";
import { outgoingWrites } from "./outgoing-writes.ts";
import { tableOf } from "./table-of.ts";
import { inSchema } from "./in-schema.ts";
import { keepRows, lockRows, namedLocksOf, skipLocked } from "./locks.ts";
import { signalsOver } from "./signals.ts";
import { retryUntilConnected } from "./retry-until-connected.ts";

/** The connection to PostgreSQL. Every wait is limited. */
export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: Redacted.Redacted;
  /** The schema of all tables and functions, created if it is missing; by default the role's schema, usually `public`. */
  readonly schema?: string | undefined;
  /** Uses the tables that an earlier version made outside of `schema`, if there are any. */
  readonly orEarlierTables?: boolean;
  /** Maximum number of connections of this process; 10 by default. */
  readonly poolSize?: number;
  /** Time to get a connection, new or from the pool; 5 s by default. */
  readonly connectTimeout?: Duration.Input;
  /** Time for one statement, enforced by the server; this process waits 2 s longer for the response; 10 s by default. */
  readonly statementTimeout?: Duration.Input;
  /** The time for retries if the database does not answer at start; 30 s by default. */
  readonly startTimeout?: Duration.Input;
}

/**
 * The time that this process waits in addition to the server's own timeout; after that, the response counts as lost.
 */
const GRACE_MILLIS = 2_000;
/**
 * The time without a statement after which the server ends a transaction, because a hanging or disconnected process may
 * hold locks for which other transactions wait.
 */
const IDLE_IN_TRANSACTION_MILLIS = 3_000;
/** The maximum time that a statement waits for a lock; longer than any transaction of the service holds a lock. */
const LOCK_MILLIS = 5_000;
/** Makes the server notice a lost peer: after 9 s, or after 8 s with unacknowledged data. */
const SERVER_SOCKET = [
  "-c tcp_keepalives_idle=5",
  "-c tcp_keepalives_interval=2",
  "-c tcp_keepalives_count=2",
  "-c tcp_user_timeout=8000",
].join(" ");
/** The maximum time that a process waits for the migrations of another process. */
const MIGRATION_LOCK_MILLIS = 60_000;
/** The letters "postern" as a number: the advisory lock of migrations. */
const MIGRATION_LOCK = 0x70_6f_73_74_65_72;
const CLOSE_MILLIS = 5_000;
const KEEP_ALIVE_MILLIS = 5_000;

/** Connects to the database of a URL and migrates it; the pool lasts until the scope ends. */
export const connect = Effect.fnUntraced(function* (
  options: PostgresOptions,
): Effect.fn.Return<Engine, PostgresStartError, Scope.Scope> {
  const { startTimeout = "30 seconds", poolSize = 10, statementTimeout = "10 seconds" } = options;
  const connection = yield* connectionConfig(options);
  const schema = yield* retryUntilConnected(
    Effect.scoped(bringUpToDate(connection, options)),
    Duration.fromInputUnsafe(startTimeout),
  );

  const statementMillis = Duration.toMillis(Duration.fromInputUnsafe(statementTimeout));
  const { kysely: unqualified, pool } = yield* openKysely({
    ...connection,
    max: poolSize,
    statement_timeout: statementMillis,
    query_timeout: statementMillis + GRACE_MILLIS,
    lock_timeout: LOCK_MILLIS,
  });
  const kysely = inSchema(unqualified, schema);
  return {
    kysely,
    begin: async () => {
      const db = await kysely.startTransaction().execute();
      return { db, keep: () => db.commit().execute(), undo: () => db.rollback().execute() };
    },
    singleConnection: false,
    failureOf,
    lockRows,
    keepRows,
    claimDeliveries,
    settleDeliveries,
    deliveryTimes,
    outgoing: outgoingWrites,
    tableOf,
    lockName: namedLocksOf(schema),
    skipLocked,
    durability: undefined,
    shrink: undefined,
    file: undefined,
    signals: signalsOver(kysely, connection, schema),
    time,
    pool: () => stateOf(pool),
  };
});

/** Returns the current time; `now()` would return the start of the transaction. */
const time = async (db: Kysely<Tables>): Promise<number> => {
  const { rows } = await sql<{
    millis: number;
  }>`select extract(epoch from clock_timestamp())::float8 * 1000 as millis`.execute(db);
  return rows[0]!.millis;
};

/**
 * Returns the connection's configuration. The error for an invalid URL does not repeat the URL, which contains a
 * password.
 */
const connectionConfig = ({ url, connectTimeout = "5 seconds" }: PostgresOptions) => {
  const config: PoolConfig = {
    connectionString: Redacted.value(url),
    connectionTimeoutMillis: Duration.toMillis(Duration.fromInputUnsafe(connectTimeout)),
    application_name: "postern",
    options: SERVER_SOCKET,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MILLIS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MILLIS,
  };
  return Effect.try({
    try: () => void new Client(config),
    catch: () => new DatabaseRefused({ detail: "the URL is malformed" }),
  }).pipe(Effect.as(config));
};

const openKysely = Effect.fnUntraced(function* (config: PoolConfig) {
  const runFork = Effect.runForkWith(yield* Effect.context());
  return yield* Effect.acquireRelease(
    Effect.sync(() => {
      const pool = openPool(config, ({ message }) =>
        runFork(Effect.logDebug(`an idle connection was lost: ${message}`)),
      );
      return { pool, kysely: new Kysely<Tables>({ dialect: dialect(pool) }) };
    }),
    ({ pool }) => Effect.promise(() => within(CLOSE_MILLIS, pool.end())),
  );
});

const stateOf = ({ totalCount, idleCount, waitingCount }: Pool): PoolState => ({
  open: totalCount,
  idle: idleCount,
  waiting: waitingCount,
});

/**
 * Waits for work for a limited time, by a real timer, because finalizers also run while a test's clock stands still.
 */
const within = (millis: number, work: Promise<unknown>): Promise<unknown> => {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, millis);
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
};

/** Migrates on a separate connection, because a migration may take longer than other statements. Returns the schema of the tables. */
const bringUpToDate = Effect.fnUntraced(function* (connection: PoolConfig, options: PostgresOptions) {
  const { kysely } = yield* openKysely({ ...connection, max: 1, lock_timeout: MIGRATION_LOCK_MILLIS });
  const now = yield* Clock.currentTimeMillis;
  const schema = yield* Effect.tryPromise(() => schemaOf(kysely, options));
  const number = schema === undefined ? sql`${MIGRATION_LOCK}` : sql`hashtextextended(${`migrations ${schema}`}, 0)`;
  const lock = async (db: Kysely<Tables>) => {
    await sql`select pg_advisory_xact_lock(${number})`.execute(db);
    // The setting applies only to this transaction, which a pooler runs on one connection.
    if (schema !== undefined) await sql`set local search_path to ${sql.id(schema)}`.execute(db);
  };
  const taken = yield* Effect.tryPromise(() => migrate(kysely, migrations, now, lock));
  yield* Effect.tryPromise(() =>
    kysely.transaction().execute(async (db) => {
      await lock(db);
      await makeFunctions(db, schema);
    }),
  );
  if (taken.length > 0) yield* Effect.logInfo(`migrated the database: ${taken.join(", ")}`);
  return schema;
});

/** Creates the schema if needed, and returns its name; undefined for the role's default schema. */
const schemaOf = async (kysely: Kysely<Tables>, { schema, orEarlierTables = false }: PostgresOptions) => {
  if (schema === undefined) return undefined;
  const { rows } = await sql<{ here: boolean; earlier: boolean }>`
    select to_regnamespace(${schema}) is not null as here, to_regclass('migration') is not null as earlier`.execute(
    kysely,
  );
  const { here, earlier } = rows[0]!;
  if (here) return schema;
  if (orEarlierTables && earlier && (await isOurs(kysely))) return undefined;
  await sql`create schema if not exists ${sql.id(schema)}`.execute(kysely);
  return schema;
};
