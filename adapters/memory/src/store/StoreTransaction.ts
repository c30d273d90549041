import { Deferred, Exit } from "effect";
import { changedRows, withChangedRows } from "./changed-rows.ts";

/** A cell as the transaction sees it, and as it was committed at that time. */
interface Change {
  readonly committed: unknown;
  readonly value: unknown;
  /** The keys of the rows that differ; undefined until another transaction asks. */
  rows: ReadonlySet<unknown> | undefined;
}

/** The changes and locks of an open transaction. */
export class StoreTransaction {
  readonly client: string;
  readonly over = Deferred.makeUnsafe<void>();
  readonly wakes: Array<string> = [];
  /** Whether it failed because of another transaction, so that it may be run again. */
  isConflict = false;
  isOver = false;
  /** The end of its last statement, in epoch milliseconds. */
  idleSince: number;
  waitsFor: StoreTransaction | undefined;
  readonly #changes = new Map<string, Change>();
  readonly #locks = new Map<string, Set<unknown>>();

  constructor(client: string, now: number) {
    this.client = client;
    this.idleSince = now;
  }

  /** Returns what is committed with the changes of this transaction. */
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

  /** Notes that a statement no longer waits for a lock. */
  waited(now: number): void {
    this.waitsFor = undefined;
    this.idleSince = now;
  }

  /** Returns a function that undoes what follows; its explicit locks stay. */
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
