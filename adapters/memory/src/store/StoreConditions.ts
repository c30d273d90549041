import type { Clock } from "effect";

/**
 * The end of a transaction. `lost`: committed, but the client learns of a failure. `refused`: rolled back by a failure.
 * `conflict`: rolled back because of another transaction, so the client runs it again.
 */
export type CommitOutcome = "committed" | "lost" | "refused" | "conflict";

/** The conditions that clients of a store with several nodes meet. Times in milliseconds. */
export interface StoreConditions {
  /** The clock of the server, which also ends waits of nodes that hang. */
  readonly clock: Clock.Clock;
  /** Decides how a transaction of a client ends. */
  readonly commit: (client: string) => CommitOutcome;
  /** Time until a wake-up reaches a client, including the client that sent it. */
  readonly wakeMillis: (client: string) => number;
  /**
   * Interval at which clients also wake without a wake-up, in case one was lost; undefined to wait for wake-ups only.
   */
  readonly pollMillis?: number;
  /** Time that a statement waits for a lock. */
  readonly lockMillis: number;
  /** Time after which the server ends a transaction without a statement. */
  readonly idleMillis: number;
}
