import type { SettledClaim } from "@postern/core/webhooks";
import type { Effect } from "effect";
import type { Kysely, RawBuilder, SelectQueryBuilder } from "kysely";
import type { Tables } from "../tables/Tables.ts";
import type { EventRow } from "../tables/events.ts";
import type { OutgoingRecipientRow, OutgoingRow } from "../tables/send.ts";
import type { DeliveryRow, EndpointRow } from "../tables/webhooks.ts";

/**
 * The meaning of a failed query. `unavailable`: the database is down, overloaded or full. `conflict`: rolled back because
 * of another transaction; may be retried. `defect`: the statement is wrong or violated a constraint.
 */
export type Failure = "unavailable" | "conflict" | "defect";

/** Locks the rows of a query until the transaction ends. */
export type LockRows = <DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
) => SelectQueryBuilder<DB, TB, O>;

/** Returns rows as a table expression in a single parameter, so that the statement is the same for any number of rows. */
export type TableOf = (
  columns: Readonly<Record<string, "text" | "bigint">>,
  rows: ReadonlyArray<object>,
) => RawBuilder<unknown>;

/** Locks a name: other transactions that lock it wait until this one ends. */
export type LockName = (db: Kysely<Tables>, name: string) => Promise<unknown>;

/** The parameters of a claim; times in epoch milliseconds. */
export interface DeliveryClaim {
  readonly now: number;
  readonly leaseUntil: number;
  readonly token: string;
  readonly limit: number;
  /** Maximum number of endpoints that are served. */
  readonly endpoints: number;
  /** Whether the previous claim failed. */
  readonly isRetry: boolean;
}

/** A claimed delivery with its event and the number of the last attempt. */
export interface ClaimedRow extends DeliveryRow, Pick<EventRow, "body"> {
  readonly attempts: number | null;
}

/** Leased deliveries with their endpoints. */
export interface ClaimedRows {
  readonly endpoints: ReadonlyArray<EndpointRow>;
  readonly rows: ReadonlyArray<ClaimedRow>;
}

/**
 * Leases due deliveries in one transaction, up to the free capacity of each endpoint. Every endpoint with due work and
 * a free slot gets its first delivery before any endpoint gets a second. The least recently served endpoints come
 * first.
 */
export type ClaimDeliveries = (db: Kysely<Tables>, claim: DeliveryClaim) => Promise<ClaimedRows>;

/**
 * Saves the deliveries and attempts whose claims still hold, and records these attempts in their endpoints, in one
 * transaction. Returns the ids of the saved deliveries.
 */
export type SettleDeliveries = (
  db: Kysely<Tables>,
  settled: ReadonlyArray<SettledClaim>,
) => Promise<ReadonlyArray<string>>;

/**
 * The time at which the first lease of a delivery expires, and the time at which a delivery can next be claimed (`now`
 * if one can be claimed already). Each is null if there is no such time.
 */
export type DeliveryTimes = (
  db: Kysely<Tables>,
  now: number,
) => Promise<{ readonly lease: number | null; readonly due: number | null }>;

/** The rows of an outgoing message. */
export interface OutgoingRows {
  readonly message: OutgoingRow;
  readonly recipients: ReadonlyArray<OutgoingRecipientRow>;
  readonly contents: string;
}

/** The columns that a save writes to an outgoing message, if the lease with this token is still held. */
export interface SavedOutgoing extends Pick<OutgoingRow, "id" | "provider_message_id" | "record" | "state"> {
  readonly token: string;
}

/**
 * The columns written to a message that is due again. If a change was requested meanwhile, the message is due at once.
 */
export interface WaitingOutgoing
  extends SavedOutgoing, Pick<OutgoingRow, "due_at" | "key_id" | "application" | "waits_for"> {
  readonly orders: ReadonlyArray<string>;
}

/** The columns of the last write to an outgoing message. */
export interface FinishedOutgoing extends SavedOutgoing {
  readonly finished_at: number;
}

/** The writes of an outgoing message to several tables, each in one transaction. */
export interface OutgoingWrites {
  readonly insert: (db: Kysely<Tables>, rows: OutgoingRows) => Promise<void>;
  /**
   * Ends the leases that are still valid and deletes the contents of their messages; returns the ids. The commit need
   * not be on disk yet: if a power failure undoes it, the messages stay leased, as if the process had ended.
   */
  readonly finish: (db: Kysely<Tables>, finished: ReadonlyArray<FinishedOutgoing>) => Promise<ReadonlyArray<string>>;
}

/** The number of connections to a database server, of idle connections, and of queries that wait for a connection. */
export interface PoolState {
  readonly open: number;
  readonly idle: number;
  readonly waiting: number;
}

/**
 * Signals between processes on one database. A process does not receive signals that are sent while it is disconnected.
 */
export interface Signals {
  readonly send: (name: string) => Effect.Effect<void>;
  /** Calls `hear` for signals of other processes, not of this one; with undefined if signals may have been missed. */
  readonly listen: (hear: (name: string | undefined) => void) => Effect.Effect<never>;
}

/** Flushes commits to disk if the database does not do so itself. */
export interface Durability {
  /** Records the end of a query or transaction, before its connection is used again. */
  readonly ended: () => void;
  readonly isDurable: () => boolean;
  /** Lets the current query end before its commit is on disk. */
  readonly overlook: () => void;
  /** Resolves once all earlier commits are on disk. */
  readonly durable: () => Promise<void>;
}

/** A database stored in a single file. */
export interface DatabaseFile {
  readonly path: string;
  /**
   * Checkpoints all commits into the file and stops writing to it; further commits go to the journal. Do not call it in
   * a transaction. Returns a function that resumes writing and tells whether the file stayed unchanged; undefined if
   * the checkpoint failed.
   */
  readonly hold: () => (() => boolean) | undefined;
}

/** An open transaction or savepoint, with the functions that end it. */
export interface Frame {
  readonly db: Kysely<Tables>;
  readonly keep: () => Promise<unknown>;
  readonly undo: () => Promise<unknown>;
}

/** The differences between the two supported databases, after the database is opened. */
export interface Engine {
  readonly kysely: Kysely<Tables>;
  /** Begins a transaction. */
  readonly begin: () => Promise<Frame>;
  /** Whether all fibers share one connection and transactions therefore run one after the other. */
  readonly singleConnection: boolean;
  readonly failureOf: (error: unknown) => Failure;
  readonly lockRows: LockRows;
  readonly keepRows: LockRows;
  readonly claimDeliveries: ClaimDeliveries;
  readonly settleDeliveries: SettleDeliveries;
  readonly deliveryTimes: DeliveryTimes;
  readonly outgoing: OutgoingWrites;
  readonly tableOf: TableOf;
  readonly lockName: LockName;
  readonly pool: () => PoolState | undefined;
  /** Returns the time of the database in epoch milliseconds; undefined if the clock of this process is used. */
  readonly time: ((db: Kysely<Tables>) => Promise<number>) | undefined;
  /** The end of a SELECT that skips rows locked by other transactions, and locks the other rows until this one ends. */
  readonly skipLocked: RawBuilder<unknown>;
  /** The flushing of commits; undefined if commits are always durable. */
  readonly durability: Durability | undefined;
  /** The file of the database; undefined if the database is not a file. */
  readonly file: DatabaseFile | undefined;
  /**
   * Returns some free space to the file system; false when none is left. Undefined if the database does this without a
   * request.
   */
  readonly shrink: (() => boolean) | undefined;
  /** The signals to other processes; undefined if no other process can use this database. */
  readonly signals: Signals | undefined;
}
