import type { Duration, Effect, Option } from "effect";
import type { StoreUnavailable } from "./StoreUnavailable.ts";

/** Work that goes on beside requests. Building one starts nothing (spec 9.3). */
export interface Worker {
  readonly name: string;
  /** Works on everything that is due now, and on what falls due meanwhile; returns how many items it claimed. */
  readonly runDue: Effect.Effect<number, StoreUnavailable>;
  /** Works on what falls due until it is interrupted; a store that is down is asked again. */
  readonly run: Effect.Effect<never>;
  /** Claims nothing more. */
  readonly stop: Effect.Effect<void>;
  /** Stops, waits for running items, and releases the leases of those that do not finish in time. */
  readonly drain: (within: Duration.Input) => Effect.Effect<void>;
  /** Epoch milliseconds of the earliest due time; none where nothing waits. */
  readonly nextDue: Effect.Effect<Option.Option<number>, StoreUnavailable>;
}
