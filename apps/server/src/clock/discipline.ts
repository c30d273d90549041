/** A reading of the time to follow. Milliseconds: monotonic since whenever, and of the Unix epoch. */
export interface TimeSample {
  readonly monotonic: number;
  readonly time: number;
}

/** How the time runs from a moment on: as fast as the monotonic clock, or a little faster or slower to catch up. */
export interface Discipline extends TimeSample {
  readonly rate: number;
}

/** A correction is spread over this much time, … */
const HORIZON_MILLIS = 30_000;
/** … and never makes the time run more than a tenth faster or slower: no lease or retry is skipped over. */
const MOST_SLEW = 0.1;
/** Beyond this somebody set a clock, which is worth a line in the log. */
const STEP_MILLIS = 5_000;

/** The time from a first sample on. */
export const disciplineFrom = (sample: TimeSample): Discipline => ({ ...sample, rate: 1 });

/** The time at a moment of the monotonic clock. */
export const timeAt = ({ monotonic, time, rate }: Discipline, moment: number): number =>
  time + (moment - monotonic) * rate;

/** How far the time is behind a sample. */
export const behind = (discipline: Discipline, sample: TimeSample): number =>
  sample.time - timeAt(discipline, sample.monotonic);

/** Whether a sample is so far off that somebody must have set a clock. */
export const isStep = (behindMillis: number): boolean => Math.abs(behindMillis) > STEP_MILLIS;

/** Goes on from where the time is, towards a sample: it never jumps and never runs backwards (spec 9.1). */
export const follow = (discipline: Discipline, sample: TimeSample): Discipline => {
  const slew = behind(discipline, sample) / HORIZON_MILLIS;
  return {
    monotonic: sample.monotonic,
    time: timeAt(discipline, sample.monotonic),
    rate: 1 + Math.min(Math.max(slew, -MOST_SLEW), MOST_SLEW),
  };
};
