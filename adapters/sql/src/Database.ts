import { inSlices, type StoreUnavailable, Transaction } from "@postern/core/shared";
import { Context, Duration, Effect, Fiber, Layer, Option, type Scope } from "effect";
import type { Kysely } from "kysely";
import type { ClaimDeliveries, Engine, LockRows, PoolState, SettleDeliveries, TableOf } from "./Engine.ts";
import type { Tables } from "./Tables.ts";
import { transactionsOver } from "./transactions.ts";
import { type WakeUp, wakeUpsOver } from "./wake-ups.ts";

const SHRINK_EVERY = Duration.seconds(30);
const ANSWER_WITHIN = Duration.seconds(2);
/** Anybody may ask whether a service is ready: however many do, the database has one write at a time of it. */
const SHARED_FOR = Duration.millis(100);

/** The database behind every store (transactions). A wrong statement is a defect. */
export class Database extends Context.Service<
  Database,
  {
    /** Runs a query in the fiber's transaction, or by itself. What it was given to build with is not for keeping. */
    readonly query: <A>(build: (db: Kysely<Tables>) => Promise<A>) => Effect.Effect<A, StoreUnavailable>;
    /**
     * The port `Transaction`. After a query in it failed it can only be undone. Run again from the start, up to four
     * times, when undone in favour of another: memory the effect changed is not put back. Where the connection is lost
     * at the commit itself it fails, though the database may have kept it. Savepoints of one transaction take turns.
     */
    readonly transaction: Transaction["Service"]["run"];
    /**
     * The transaction under way, or one where there is none: for a store's own writes that fail by nothing but the
     * database. It costs no savepoint, and where it fails the whole can only be undone.
     */
    readonly together: <A, R>(effect: Effect.Effect<A, StoreUnavailable, R>) => Effect.Effect<A, StoreUnavailable, R>;
    /** Whether the fiber is in a transaction. */
    readonly isInside: Effect.Effect<boolean>;
    /** For a fiber that is to outlive the transaction it is forked in. Never wait for it in there. */
    readonly outside: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>;
    /** Whether the database takes a write within two seconds. Those who ask at once share one. */
    readonly answers: Effect.Effect<boolean>;
    /** The clock of the database, which all nodes share, in epoch milliseconds; none where it is this process's own. */
    readonly time: Effect.Effect<Option.Option<number>, StoreUnavailable>;
    /** The connections there are now; none to speak of on the embedded database. */
    readonly pool: () => PoolState | undefined;
    /** `FOR NO KEY UPDATE`, where there is anybody to keep out. */
    readonly lockRows: LockRows;
    /** Keeps these rows from being removed until the transaction ends. */
    readonly keepRows: LockRows;
    readonly claimDeliveries: ClaimDeliveries;
    readonly settleDeliveries: SettleDeliveries;
    readonly tableOf: TableOf;
    /** For what has no row to lock: another transaction waits here with any of these names until this one ends. */
    readonly lockNames: (names: ReadonlyArray<string>) => Effect.Effect<void, StoreUnavailable>;
    /** `FOR NO KEY UPDATE SKIP LOCKED`, where there is anybody to pass by. */
    readonly skipLocked: Engine["skipLocked"];
    /** Whether no other process can be working on these rows. */
    readonly isOursAlone: boolean;
    /** Holds the file of the embedded database as it is (`DatabaseFile`); none where there is no file. */
    readonly holdFile: Effect.Effect<Option.Option<() => boolean>, StoreUnavailable>;
    /** Runs once the transaction under way has committed, or now where there is none; not where it is undone. */
    readonly afterCommit: (effect: Effect.Effect<void>) => Effect.Effect<void>;
    /** The wake-up of this name, shared by all processes on this database. */
    readonly wakeUp: (name: string, sleepsUntil?: () => number) => WakeUp;
  }
>()("@postern/sql/Database") {
  /** The service and the port `Transaction`, over a database that is open and migrated. */
  static readonly layer = <E, R>(
    engine: Effect.Effect<Engine, E, R>,
  ): Layer.Layer<Database | Transaction, E, Exclude<R, Scope.Scope>> =>
    Layer.effectContext(
      Effect.gen(function* () {
        const opened = yield* engine;
        const transactions = transactionsOver(opened);
        const { lockRows, keepRows, claimDeliveries, settleDeliveries, tableOf, lockName, skipLocked } = opened;
        const { singleConnection: isOursAlone } = opened;
        // In one order everywhere, or two could wait for each other.
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
            // Whatever is wrong with it, nothing can be done here without it.
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
