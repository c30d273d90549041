/** A reading of the reference time, in milliseconds: monotonic from an arbitrary start, and since the Unix epoch. */
export interface TimeSample {
  readonly monotonic: number;
  readonly time: number;
}

/** A clock that starts at a sample and runs at the rate of the monotonic clock, or slightly faster or slower to correct an error. */
export interface Discipline extends TimeSample {
  readonly rate: number;
}

/** The time over which a correction is spread. */
const HORIZON_MILLIS = 30_000;
/**
 * The maximum correction of the rate: time never runs more than a tenth faster or slower, so that no lease or retry is
 * skipped.
 */
const MAX_SLEW = 0.1;
/** The difference from which a clock must have been set, which is logged. */
const STEP_MILLIS = 5_000;

/** Returns a clock that starts at a first sample. */
export const disciplineFrom = (sample: TimeSample): Discipline => ({ ...sample, rate: 1 });

/** Returns the time at a moment of the monotonic clock. */
export const timeAt = ({ monotonic, time, rate }: Discipline, moment: number): number =>
  time + (moment - monotonic) * rate;

/** Returns the lag of the time behind a sample, in milliseconds. */
export const lagOf = (discipline: Discipline, sample: TimeSample): number =>
  sample.time - timeAt(discipline, sample.monotonic);

/** Returns whether a sample is so far off that a clock must have been set. */
export const isStep = (behindMillis: number): boolean => Math.abs(behindMillis) > STEP_MILLIS;

/** Returns a clock that approaches a sample, without a jump and never backwards (spec 9.1). */
export const follow = (discipline: Discipline, sample: TimeSample): Discipline => {
  const slew = lagOf(discipline, sample) / HORIZON_MILLIS;
  return {
    monotonic: sample.monotonic,
    time: timeAt(discipline, sample.monotonic),
    rate: 1 + Math.min(Math.max(slew, -MAX_SLEW), MAX_SLEW),
  };
};
