import { inSlices, type StoreUnavailable, Transaction } from "@postern/core/shared";
import { Context, Duration, Effect, Fiber, Layer, Option, type Scope } from "effect";
import type { Kysely } from "kysely";
import type {
  ClaimDeliveries,
  DeliveryTimes,
  Engine,
  LockRows,
  OutgoingWrites,
  PoolState,
  SettleDeliveries,
  TableOf,
} from "./Engine.ts";
import type { Tables } from "../tables/Tables.ts";
import { transactionsOver } from "./transactions.ts";
import { type WakeUp, wakeUpsOver } from "./wake-ups.ts";

const SHRINK_EVERY = Duration.seconds(30);
const ANSWER_WITHIN = Duration.seconds(2);
/**
 * The time within which readiness checks share one write. Checks need no authentication, so any client could otherwise
 * cause any number of writes.
 */
const SHARED_FOR = Duration.millis(100);

/** The database behind every store. An incorrect statement is a defect. */
export class Database extends Context.Service<
  Database,
  {
    /** Runs a query, in the fiber's transaction if there is one. Do not use the query builder after the call. */
    readonly query: <A>(build: (db: Kysely<Tables>) => Promise<A>) => Effect.Effect<A, StoreUnavailable>;
    /**
     * Runs an effect in a transaction; implements the port `Transaction`. After a failed query the transaction can only
     * be rolled back. After a conflict with another transaction, the effect runs again from the start, up to four
     * times; changes that the effect made in memory are not undone. If the connection is lost during the commit, the
     * transaction fails although the database may have committed it. Savepoints of one transaction run one after the
     * other.
     */
    readonly transaction: Transaction["Service"]["run"];
    /**
     * Runs a store's own writes in the current transaction, or in a new one. The writes may fail only because of the
     * database. A failure rolls the whole transaction back, so no savepoint is needed.
     */
    readonly together: <A, R>(effect: Effect.Effect<A, StoreUnavailable, R>) => Effect.Effect<A, StoreUnavailable, R>;
    /** Whether the fiber is in a transaction. */
    readonly isInside: Effect.Effect<boolean>;
    /**
     * Runs an effect outside the transaction, for a fiber that is forked in a transaction and outlives it. Never wait
     * for that fiber inside the transaction.
     */
    readonly outside: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>;
    /** Whether the database completes a write within two seconds. Concurrent callers share one write. */
    readonly answers: Effect.Effect<boolean>;
    /**
     * The time of the database's clock, which all nodes share, in epoch milliseconds; none if this process's clock is
     * used.
     */
    readonly time: Effect.Effect<Option.Option<number>, StoreUnavailable>;
    /** The state of the connection pool; undefined for the embedded database. */
    readonly pool: () => PoolState | undefined;
    /** Locks rows with `FOR NO KEY UPDATE`, if other processes can use the database. */
    readonly lockRows: LockRows;
    /** Prevents other transactions from deleting these rows until this transaction ends. */
    readonly keepRows: LockRows;
    readonly claimDeliveries: ClaimDeliveries;
    readonly settleDeliveries: SettleDeliveries;
    readonly deliveryTimes: DeliveryTimes;
    readonly outgoing: OutgoingWrites;
    readonly tableOf: TableOf;
    /** Locks names, for data without a row to lock. Other transactions that lock such a name wait until this one ends. */
    readonly lockNames: (names: ReadonlyArray<string>) => Effect.Effect<void, StoreUnavailable>;
    /** Adds `FOR NO KEY UPDATE SKIP LOCKED`, if other processes can use the database. */
    readonly skipLocked: Engine["skipLocked"];
    /** Whether no other process can work on these rows. */
    readonly isOursAlone: boolean;
    /**
     * Keeps the file of the embedded database unchanged (`DatabaseFile`); none if there is no such file or the file is
     * busy.
     */
    readonly holdFile: Effect.Effect<Option.Option<() => boolean>, StoreUnavailable>;
    /** Runs an effect after the current transaction has committed, or at once without one. After a rollback it does not run. */
    readonly afterCommit: (effect: Effect.Effect<void>) => Effect.Effect<void>;
    /** Returns the wake-up of this name, shared by all processes on this database. */
    readonly wakeUp: (name: string, sleepsUntil?: () => number) => WakeUp;
  }
>()("@postern/sql/Database") {
  /** The service and the port `Transaction` over an open, migrated database. */
  static readonly layer = <E, R>(
    engine: Effect.Effect<Engine, E, R>,
  ): Layer.Layer<Database | Transaction, E, Exclude<R, Scope.Scope>> =>
    Layer.effectContext(
      Effect.gen(function* () {
        const opened = yield* engine;
        const transactions = transactionsOver(opened);
        const { lockRows, keepRows, outgoing, tableOf, lockName, skipLocked } = opened;
        const { claimDeliveries, settleDeliveries, deliveryTimes } = opened;
        const { singleConnection: isOursAlone } = opened;
        // The names are locked in a fixed order, which prevents deadlocks.
        const lockNames = (names: ReadonlyArray<string>) =>
          Effect.forEach(names.toSorted(), (name) => transactions.query((db) => lockName(db, name)), { discard: true });
        const probe = transactions.query(async (db) => {
          const id = globalThis.crypto.randomUUID();
          await db.insertInto("write_probe").values({ id }).execute();
          await db.deleteFrom("write_probe").where("id", "=", id).execute();
        });
        const answers = yield* Effect.cachedWithTTL(
          transactions.outside(transactions.transaction(probe)).pipe(
            Effect.as(true),
            // The service cannot work, whatever the cause.
            Effect.catchCause((cause) => Effect.as(Effect.logDebug("the database accepts no writes", cause), false)),
            Effect.forkDetach,
            Effect.flatMap((asked) => Effect.timeoutOption(Fiber.join(asked), ANSWER_WITHIN)),
            Effect.map(Option.getOrElse(() => false)),
          ),
          SHARED_FOR,
        );
        const holdFile = transactions.outside(
          Effect.map(
            transactions.query(async () => opened.file?.hold()),
            Option.fromUndefinedOr,
          ),
        );
        const { time: clock, pool } = opened;
        const time =
          clock === undefined
            ? Effect.succeedNone
            : transactions.outside(Effect.asSome(transactions.query((db) => clock(db))));
        const { shrink } = opened;
        if (shrink !== undefined) {
          const slice = transactions.query(async () => shrink());
          const shrinking = Effect.ignore(Effect.andThen(Effect.sleep(SHRINK_EVERY), inSlices(slice)));
          yield* Effect.forkScoped(Effect.forever(shrinking));
        }
        const wakeUp = yield* wakeUpsOver(opened.signals, transactions.afterCommit);
        return Context.make(Database, {
          ...transactions,
          answers,
          time,
          pool,
          lockRows,
          keepRows,
          claimDeliveries,
          settleDeliveries,
          deliveryTimes,
          outgoing,
          tableOf,
          lockNames,
          skipLocked,
          isOursAlone,
          holdFile,
          wakeUp,
        }).pipe(Context.add(Transaction, { run: transactions.transaction }));
      }),
    );
}
