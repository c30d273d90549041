import type { Effect } from "effect";
import type { Kysely, RawBuilder, SelectQueryBuilder } from "kysely";
import type { Tables } from "./Tables.ts";
import type { EventRow } from "./events/tables.ts";
import type { AttemptRow, DeliveryRow, EndpointRow } from "./webhooks/tables.ts";

/**
 * What a failed query means. `unavailable`: the database is down, too busy or out of room. `conflict`: undone in favour
 * of another transaction, good to try again. `defect`: the statement is wrong or broke a constraint.
 */
export type Failure = "unavailable" | "conflict" | "defect";

/** The rows of this query stay ours until the transaction ends. */
export type LockRows = <DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
) => SelectQueryBuilder<DB, TB, O>;

/** Rows as a table expression, given in one value: the statement is the same for any number of them. */
export type TableOf = (
  columns: Readonly<Record<string, "text" | "bigint">>,
  rows: ReadonlyArray<object>,
) => RawBuilder<unknown>;

/** Keeps others who give the same name waiting until the transaction ends. */
export type LockName = (db: Kysely<Tables>, name: string) => Promise<unknown>;

/** Who claims how much: times in epoch milliseconds. */
export interface DeliveryClaim {
  readonly now: number;
  readonly leaseUntil: number;
  readonly token: string;
  readonly limit: number;
}

/** An endpoint whose row is locked, with the room it had before. */
export interface LockedEndpoint extends EndpointRow {
  readonly room: number;
}

/** A delivery as it was claimed, with its event and the number of the last attempt. */
export interface ClaimedRow extends DeliveryRow, Pick<EventRow, "account" | "body"> {
  readonly attempts: number | null;
}

/**
 * Leases deliveries of endpoints whose rows are locked, no more than each has room for: no second of one before a first
 * of all.
 */
export type ClaimDeliveries = (
  db: Kysely<Tables>,
  endpoints: ReadonlyArray<LockedEndpoint>,
  claim: DeliveryClaim,
) => Promise<ReadonlyArray<ClaimedRow>>;

/** The outcome of a claim, saved only under this token. */
export interface SettledRow {
  readonly delivery: DeliveryRow;
  readonly token: string;
  readonly attempt: AttemptRow;
}

/** Puts deliveries and attempts in place where the claim still holds; answers with the ids of those. */
export type SettleDeliveries = (
  db: Kysely<Tables>,
  settled: ReadonlyArray<SettledRow>,
) => Promise<ReadonlyArray<string>>;

/** The connections to a database server: in all, idle ones, and how many queries wait for one. */
export interface PoolState {
  readonly open: number;
  readonly idle: number;
  readonly waiting: number;
}

/** How processes on one database reach each other. What is sent while somebody is not connected, it does not hear. */
export interface Signals {
  readonly send: (name: string) => Effect.Effect<void>;
  /** Hears what others send, never what this process sent; undefined where it may have missed something. */
  readonly listen: (hear: (name: string | undefined) => void) => Effect.Effect<never>;
}

/** How commits come to the disk where the database does not see to that itself. */
export interface Durability {
  /** A query or transaction has ended, and the connection is still its own. */
  readonly ended: () => void;
  readonly isDurable: () => boolean;
  /** Comes back once all that was committed before is on the disk. */
  readonly durable: () => Promise<void>;
}

/** A database that is one file. */
export interface DatabaseFile {
  readonly path: string;
  /**
   * Brings what is committed into the file and writes no more to it: commits go on beside it. Not in a transaction. Gives
   * back what ends that, and tells whether the file stayed as it was; undefined where it cannot be had now.
   */
  readonly hold: () => (() => boolean) | undefined;
}

/** All in which the two databases differ once they are open. */
export interface Engine {
  readonly kysely: Kysely<Tables>;
  /** One connection serves everybody, so transactions take turns. */
  readonly singleConnection: boolean;
  readonly failureOf: (error: unknown) => Failure;
  readonly lockRows: LockRows;
  readonly keepRows: LockRows;
  readonly claimDeliveries: ClaimDeliveries;
  readonly settleDeliveries: SettleDeliveries;
  readonly tableOf: TableOf;
  readonly lockName: LockName;
  readonly pool: () => PoolState | undefined;
  /** The clock of the database in epoch milliseconds; none where that is ours. */
  readonly time: ((db: Kysely<Tables>) => Promise<number>) | undefined;
  /** At the end of a SELECT: passes over rows that somebody else holds, and holds the others until the transaction ends. */
  readonly skipLocked: RawBuilder<unknown>;
  /** None where what is committed is durable. */
  readonly durability: Durability | undefined;
  /** None where it is no file of ours. */
  readonly file: DatabaseFile | undefined;
  /** Gives free space back to the file system, some at a time; false once there is no more. None where the database does. */
  readonly shrink: (() => boolean) | undefined;
  /** None where no other process can be on this database. */
  readonly signals: Signals | undefined;
}
