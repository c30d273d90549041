import type { StoreUnavailable, Transaction } from "@postern/core/shared";
import type { Effect, Scope } from "effect";

/**
 * A named value of a store. The rows of a `HashMap`, or of a record of `HashMap`s, are locked one by one. Any other
 * value is locked as a whole. Never change the value or a row in place.
 */
export interface Cell<A> {
  /** The committed rows, with the transaction's own changes. */
  readonly get: Effect.Effect<A, StoreUnavailable>;
  /**
   * Replaces the value by the computed one, and locks the rows that differ until the transaction ends. Returns the
   * other part of the result. If another transaction has locked such a row, the call waits until that transaction ends
   * and computes again, so a change may run more than once. To skip locked rows instead, a change calls `isLocked`.
   */
  readonly modify: <B>(
    change: (value: A, isLocked: (key: string) => boolean) => readonly [B, A],
  ) => Effect.Effect<B, StoreUnavailable>;
  /** Locks rows until the transaction ends. Other transactions can read them meanwhile. */
  readonly lock: (keys: ReadonlyArray<string>) => Effect.Effect<void, StoreUnavailable>;
}

/** The connection of one node to a store; all connections see the same cells. */
export interface StoreClient {
  /** Returns the cell of this name; it starts with the initial value of the first caller. */
  readonly cell: <A>(name: string, initial: A) => Effect.Effect<Cell<A>>;
  /** Locks names, for data without a row to lock. Other transactions that lock such a name wait until this one ends. */
  readonly lockNames: (names: ReadonlyArray<string>) => Effect.Effect<void, StoreUnavailable>;
  /** Wakes the listeners of this name on every node: at once, or in a transaction after its commit. */
  readonly wake: (name: string) => Effect.Effect<void>;
  /** Starts to listen. The inner effect waits for the next wake-up; a wake-up in the meantime is kept. */
  readonly listen: (name: string) => Effect.Effect<Effect.Effect<void>, never, Scope.Scope>;
  /** Whether this client is the only one of the store. */
  readonly isOursAlone: boolean;
  readonly transaction: Transaction["Service"]["run"];
}
