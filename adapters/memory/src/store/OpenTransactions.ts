import { StoreUnavailable } from "@postern/core/shared";
import { Deferred, Duration, Effect, Exit } from "effect";
import { changedRows, withChangedRows } from "./changed-rows.ts";
import type { StoreConditions } from "./StoreConditions.ts";

/** The value of a cell in a transaction, and its committed value when the transaction first read it. */
interface Change {
  readonly committed: unknown;
  readonly value: unknown;
  /** The keys of the rows that differ; undefined until another transaction asks. */
  rows: ReadonlySet<unknown> | undefined;
}

/** The changes and locks of an open transaction. */
class StoreTransaction {
  readonly client: string;
  readonly over = Deferred.makeUnsafe<void>();
  readonly wakes: Array<string> = [];
  /** Whether the transaction failed because of another one, so that it may run again. */
  isConflict = false;
  isOver = false;
  /** The time at which its last statement ended, in epoch milliseconds. */
  idleSince: number;
  waitsFor: StoreTransaction | undefined;
  readonly #changes = new Map<string, Change>();
  readonly #locks = new Map<string, Set<unknown>>();

  constructor(client: string, now: number) {
    this.client = client;
    this.idleSince = now;
  }

  /** Returns the committed rows with the changes of this transaction. */
  read(cell: string, committed: unknown): unknown {
    const change = this.#changes.get(cell);
    if (change === undefined) return committed;
    if (change.committed === committed) return change.value;
    const value = withChangedRows(change.committed, change.value, committed);
    this.write(cell, committed, value);
    return value;
  }

  write(cell: string, committed: unknown, value: unknown): void {
    this.#changes.set(cell, { committed, value, rows: undefined });
  }

  lock(cell: string, keys: Iterable<unknown>): void {
    const locked = this.#locks.get(cell) ?? new Set();
    for (const key of keys) locked.add(key);
    this.#locks.set(cell, locked);
  }

  locksIn(cell: string): boolean {
    return this.#changes.has(cell) || this.#locks.has(cell);
  }

  holds(cell: string, key: unknown): boolean {
    if (this.#locks.get(cell)?.has(key) === true) return true;
    const change = this.#changes.get(cell);
    if (change === undefined) return false;
    change.rows ??= changedRows(change.committed, change.value);
    return change.rows.has(key);
  }

  get changedCells(): Iterable<string> {
    return this.#changes.keys();
  }

  /** Records that a statement no longer waits for a lock. */
  waited(now: number): void {
    this.waitsFor = undefined;
    this.idleSince = now;
  }

  /** Returns a function that undoes all later writes; explicit locks stay. */
  savepoint(): () => void {
    const changes = [...this.#changes];
    const wakes = this.wakes.length;
    return () => {
      this.#changes.clear();
      for (const [cell, change] of changes) this.#changes.set(cell, change);
      this.wakes.length = wakes;
    };
  }

  end(): void {
    this.isOver = true;
    Deferred.doneUnsafe(this.over, Exit.void);
  }
}

export type { StoreTransaction };

/** The open transactions of all clients of a store, and the waits between them. Times in epoch milliseconds. */
export class OpenTransactions {
  readonly #conditions: StoreConditions | undefined;
  readonly #all = new Set<StoreTransaction>();

  constructor(conditions: StoreConditions | undefined) {
    this.#conditions = conditions;
  }

  /** The time of the server, which matters only with `StoreConditions`. */
  get now(): number {
    return this.#conditions?.clock.currentTimeMillisUnsafe() ?? 0;
  }

  /** The time at which a statement that starts now stops waiting for locks. */
  get lockDeadline(): number {
    return this.now + (this.#conditions?.lockMillis ?? Infinity);
  }

  begin(client: string): StoreTransaction {
    const begun = new StoreTransaction(client, this.now);
    this.#all.add(begun);
    return begun;
  }

  end(transaction: StoreTransaction): void {
    this.#all.delete(transaction);
    transaction.end();
  }

  /** Ends all transactions, like a server that stops. */
  endAll(): void {
    const open = [...this.#all];
    for (const transaction of open) this.end(transaction);
  }

  /** Returns whether the transaction has ended. The server ends a transaction that had no statement for too long. */
  hasEnded(transaction: StoreTransaction): boolean {
    const { waitsFor, idleSince } = transaction;
    const idleMillis = this.#conditions?.idleMillis ?? Infinity;
    if (waitsFor === undefined && this.now - idleSince >= idleMillis) this.end(transaction);
    return transaction.isOver;
  }

  /** Returns a transaction other than `own` that holds one of these rows of a cell. */
  holderOf(
    own: StoreTransaction | undefined,
    cell: string,
    rowsOf: () => Iterable<unknown>,
  ): StoreTransaction | undefined {
    let rows: Iterable<unknown> | undefined;
    for (const other of this.#all) {
      if (other === own || !other.locksIn(cell)) continue;
      rows ??= rowsOf();
      for (const row of rows) if (other.holds(cell, row)) return other;
    }
    return undefined;
  }

  /** Waits until a transaction ends; fails on a deadlock, and when the deadline passes. May return early. */
  waitFor(
    holder: StoreTransaction,
    own: StoreTransaction | undefined,
    deadline: number,
  ): Effect.Effect<void, StoreUnavailable> {
    return Effect.suspend(() => {
      if (own !== undefined) {
        for (let next: StoreTransaction | undefined = holder; next !== undefined; next = next.waitsFor) {
          if (next !== own) continue;
          own.isConflict = true;
          return Effect.fail(new StoreUnavailable({ detail: "deadlock detected" }));
        }
        own.waitsFor = holder;
      }
      const waited = Effect.sync(() => own?.waited(this.now));
      return Effect.andThen(
        Effect.ensuring(this.#untilEnd(holder, deadline), waited),
        Effect.suspend(() =>
          this.hasEnded(holder) || this.now < deadline
            ? Effect.void
            : Effect.fail(new StoreUnavailable({ detail: "lock time-out" })),
        ),
      );
    });
  }

  /** Waits until a transaction ends, may have been idle for too long, or the deadline passes. */
  #untilEnd({ over, waitsFor, idleSince }: StoreTransaction, deadline: number): Effect.Effect<void> {
    // The client of the ended transaction continues first, because this client learns of the end before the clients
    // that waited.
    const ended = Effect.andThen(Deferred.await(over), Effect.yieldNow);
    if (this.#conditions === undefined) return ended;
    const { clock, idleMillis } = this.#conditions;
    const until = waitsFor === undefined ? Math.min(deadline, idleSince + idleMillis) : deadline;
    return Effect.raceFirst(ended, clock.sleep(Duration.millis(until - this.now)));
  }
}
