import type { Duration, Effect, Option } from "effect";
import type { StoreUnavailable } from "./StoreUnavailable.ts";

/** A background worker. Building a worker starts nothing (spec 9.3). */
export interface Worker {
  readonly name: string;
  /** Works on all due items, including those that fall due while it works; returns the number of items claimed. */
  readonly runDue: Effect.Effect<number, StoreUnavailable>;
  /** Works on due items until it is interrupted; retries while the store is down. */
  readonly run: Effect.Effect<never>;
  /** Stops claiming items. */
  readonly stop: Effect.Effect<void>;
  /** Stops, waits for running items, and releases the leases of items that do not finish in time. */
  readonly drain: (within: Duration.Input) => Effect.Effect<void>;
  /** Returns the earliest due time in epoch milliseconds; none if no item is waiting. */
  readonly nextDue: Effect.Effect<Option.Option<number>, StoreUnavailable>;
  /** Returns since when every claim has failed, in epoch milliseconds; undefined if the last claim succeeded, or if nothing is claimed. */
  readonly failingSince?: () => number | undefined;
}
