import type { Effect, Option } from "effect";
import type { StoreUnavailable } from "./StoreUnavailable.ts";

/**
 * The right to work on a row for a limited time. Only the holder of the token may save; the token is void once another
 * worker takes over.
 */
export interface Lease {
  readonly token: string;
  /** Epoch milliseconds. */
  readonly until: number;
}

/** The lease of a row that a worker processes. Each renewal moves `until` forward; a lease that ended is never renewed. */
export interface HeldLease {
  readonly token: string;
  until: number;
}

/** A store of rows that are leased to one worker at a time. Times in epoch milliseconds. */
export interface LeasedRows<Item> {
  /** Claims rows that are due; no two callers get the same row. */
  readonly claim: (now: number, lease: Lease, limit: number) => Effect.Effect<ReadonlyArray<Item>, StoreUnavailable>;
  /** Renews the leases of this token; returns the ids of the rows still held. */
  readonly renew: (ids: ReadonlyArray<string>, lease: Lease) => Effect.Effect<ReadonlySet<string>, StoreUnavailable>;
  /** Releases rows leased under this token, due at `now`. */
  readonly release: (ids: ReadonlyArray<string>, token: string, now: number) => Effect.Effect<void, StoreUnavailable>;
  /** Returns the time at which a row can next be claimed or reclaimed. */
  readonly nextDue: Effect.Effect<Option.Option<number>, StoreUnavailable>;
  /** Waits until this or another process may have made a row due earlier than `nextDue` returned. */
  readonly changed: Effect.Effect<void>;
}
