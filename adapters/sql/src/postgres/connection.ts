import { Clock, Duration, Effect, Redacted, type Scope } from "effect";
import { Kysely, sql } from "kysely";
import { Client, type Pool, type PoolConfig } from "pg";
import type { Engine, PoolState } from "../Engine.ts";
import { DatabaseRefused, type PostgresStartError } from "../errors.ts";
import { migrate } from "../migrate.ts";
import { migrations } from "../migrations/index.ts";
import type { Tables } from "../Tables.ts";
import { claimDeliveries } from "./claim-deliveries.ts";
import { settleDeliveries } from "./settle-deliveries.ts";
import { dialect, openPool } from "./dialect.ts";
import { failureOf } from "./failure-of.ts";
import { tableOf } from "./table-of.ts";
import { keepRows, lockName, lockRows, skipLocked } from "./locks.ts";
import { signalsOver } from "./signals.ts";
import { retryUntilConnected } from "./retry-until-connected.ts";

/** How PostgreSQL is reached. Nothing here waits longer than it says. */
export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: Redacted.Redacted;
  /** Connections of this process at most; 10. */
  readonly poolSize?: number;
  /** For a connection, new or from the pool; 5 s. */
  readonly connectTimeout?: Duration.Input;
  /** For one statement, told to the server; we ourselves wait 2 s longer for its answer; 10 s. */
  readonly statementTimeout?: Duration.Input;
  /** How long a database that does not answer is asked again at start; 30 s. */
  readonly startTimeout?: Duration.Input;
}

/** The server has a timeout of its own; what comes later than this was lost on the way. */
const GRACE_MILLIS = 2_000;
/** A transaction holds locks that others wait for: the server ends one whose process hangs or is cut off. */
const IDLE_IN_TRANSACTION_MILLIS = 3_000;
/** Longer than any transaction of the service holds a lock: one that waits longer delays others in turn. */
const LOCK_MILLIS = 5_000;
/** How soon the server notices a connection whose other end is gone without a word: 9 s, 8 s with an answer unsent. */
const SERVER_SOCKET = [
  "-c tcp_keepalives_idle=5",
  "-c tcp_keepalives_interval=2",
  "-c tcp_keepalives_count=2",
  "-c tcp_user_timeout=8000",
].join(" ");
/** How long one process waits for another to finish its migrations. */
const MIGRATION_LOCK_MILLIS = 60_000;
/** Letters "postern" as a number: what processes of ours meet at. */
const MIGRATION_LOCK = 0x70_6f_73_74_65_72;
const CLOSE_MILLIS = 5_000;
const KEEP_ALIVE_MILLIS = 5_000;

/** The database behind a URL, migrated, with a pool that lasts until the scope ends. */
export const connect = Effect.fnUntraced(function* (
  options: PostgresOptions,
): Effect.fn.Return<Engine, PostgresStartError, Scope.Scope> {
  const { startTimeout = "30 seconds", poolSize = 10, statementTimeout = "10 seconds" } = options;
  const connection = yield* connectionConfig(options);
  yield* retryUntilConnected(Effect.scoped(bringUpToDate(connection)), Duration.fromInputUnsafe(startTimeout));

  const statementMillis = Duration.toMillis(Duration.fromInputUnsafe(statementTimeout));
  const { kysely, pool } = yield* openKysely({
    ...connection,
    max: poolSize,
    statement_timeout: statementMillis,
    query_timeout: statementMillis + GRACE_MILLIS,
    lock_timeout: LOCK_MILLIS,
  });
  return {
    kysely,
    singleConnection: false,
    failureOf,
    lockRows,
    keepRows,
    claimDeliveries,
    settleDeliveries,
    tableOf,
    lockName,
    skipLocked,
    durability: undefined,
    shrink: undefined,
    file: undefined,
    signals: signalsOver(kysely, connection),
    time,
    pool: () => stateOf(pool),
  };
});

/** Not `now()`, which is when the transaction began. */
const time = async (db: Kysely<Tables>): Promise<number> => {
  const { rows } = await sql<{
    millis: number;
  }>`select extract(epoch from clock_timestamp())::float8 * 1000 as millis`.execute(db);
  return rows[0]!.millis;
};

/** Refuses what is no address without repeating it: there is a password in it. */
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
    catch: () => new DatabaseRefused({ detail: "its address cannot be read" }),
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

/** The finalizer runs where no clock of a test moves on. */
const within = (millis: number, work: Promise<unknown>): Promise<unknown> => {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, millis);
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
};

/** On a connection of its own, because a migration may take longer than any other statement. */
const bringUpToDate = Effect.fnUntraced(function* (connection: PoolConfig) {
  const { kysely } = yield* openKysely({ ...connection, max: 1, lock_timeout: MIGRATION_LOCK_MILLIS });
  const now = yield* Clock.currentTimeMillis;
  const lock = (db: Kysely<Tables>) => sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(db);
  const taken = yield* Effect.tryPromise(() => migrate(kysely, migrations, now, lock));
  if (taken.length > 0) yield* Effect.logInfo(`migrated the database: ${taken.join(", ")}`);
});
