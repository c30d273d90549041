/** The value below which this share of the numbers lies. */
export const percentile = (numbers: ReadonlyArray<number>, share: number): number => {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
};

export const median = (numbers: ReadonlyArray<number>): number => percentile(numbers, 0.5);

/** One timed run of an operation. Times in milliseconds. */
export interface Run {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** CPU of the measured side per call; absent where it was not measured. */
  readonly cpu?: number;
}

/** The run in the middle by rate, with the CPU of the middle one by CPU. */
export const medianRun = (runs: ReadonlyArray<Run>): Run => {
  const middle = runs.toSorted((a, b) => a.perSecond - b.perSecond)[Math.floor(runs.length / 2)];
  if (middle === undefined) throw new Error("no runs");
  const cpus = runs.flatMap(({ cpu }) => cpu ?? []);
  return { ...middle, ...(cpus.length > 0 ? { cpu: median(cpus) } : {}) };
};

/** The middle one of the ratios of rates, each of two runs that followed upon one another: both had the same machine. */
export const medianRatio = (ours: ReadonlyArray<Run>, beside: ReadonlyArray<Run>): number =>
  median(ours.map(({ perSecond }, n) => perSecond / beside[n]!.perSecond));
