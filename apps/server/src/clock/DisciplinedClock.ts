import { Clock, Effect } from "effect";
import { lagOf, type Discipline, disciplineFrom, follow, type TimeSample, timeAt } from "./discipline.ts";

/** Returns milliseconds that never decrease, even if the machine's clock is set. */
export const monotonicMillis = (): number => performance.now();

/** Returns a reading of this machine's clock. */
export const machineTime = (): TimeSample => ({ monotonic: monotonicMillis(), time: Date.now() });

/**
 * The clock of the service (spec 9.1). The clock begins with the machine's time. `start` sets it once, and from then on
 * it follows samples without a jump. A sleep takes real time.
 */
export class DisciplinedClock implements Clock.Clock {
  #discipline: Discipline = disciplineFrom(machineTime());
  readonly sleep: Clock.Clock["sleep"];

  constructor(timers: Clock.Clock) {
    this.sleep = (duration) => timers.sleep(duration);
  }

  /** Sets the time once, before any caller has read it. */
  start(sample: TimeSample): void {
    this.#discipline = disciplineFrom(sample);
  }

  /** Moves towards this time; returns the lag of the clock before, in milliseconds. */
  follow(sample: TimeSample): number {
    const late = lagOf(this.#discipline, sample);
    this.#discipline = follow(this.#discipline, sample);
    return late;
  }

  currentTimeMillisUnsafe(): number {
    return Math.floor(timeAt(this.#discipline, monotonicMillis()));
  }
  readonly currentTimeMillis = Effect.sync(() => this.currentTimeMillisUnsafe());

  currentTimeNanosUnsafe(): bigint {
    return BigInt(Math.floor(timeAt(this.#discipline, monotonicMillis()) * 1_000)) * 1_000n;
  }
  readonly currentTimeNanos = Effect.sync(() => this.currentTimeNanosUnsafe());

  monotonicTimeNanosUnsafe(): bigint {
    return process.hrtime.bigint();
  }
  readonly monotonicTimeNanos = Effect.sync(() => this.monotonicTimeNanosUnsafe());
}
