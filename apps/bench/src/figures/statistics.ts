/** Returns the value below which this share of the numbers lies. */
export const percentile = (numbers: ReadonlyArray<number>, share: number): number => {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
};

export const median = (numbers: ReadonlyArray<number>): number => percentile(numbers, 0.5);

/** A timed run of an operation. Times in milliseconds. */
export interface Run {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** CPU time per call; absent if not measured. */
  readonly cpu?: number;
  /** The 99th percentile of the delay of the service's event loop; absent if not measured. */
  readonly loopDelay?: number;
}

/** Returns the median run by rate, with the median CPU time and delay of the event loop. */
export const medianRun = (runs: ReadonlyArray<Run>): Run => {
  const middle = runs.toSorted((a, b) => a.perSecond - b.perSecond)[Math.floor(runs.length / 2)];
  if (middle === undefined) throw new Error("no runs");
  const cpus = runs.flatMap(({ cpu }) => cpu ?? []);
  const delays = runs.flatMap(({ loopDelay }) => loopDelay ?? []);
  return {
    ...middle,
    ...(cpus.length > 0 ? { cpu: median(cpus) } : {}),
    ...(delays.length > 0 ? { loopDelay: median(delays) } : {}),
  };
};

/** Returns the median ratio of rates of consecutive runs, which ran under the same load of the machine. */
export const medianRatio = (ours: ReadonlyArray<Run>, beside: ReadonlyArray<Run>): number =>
  median(ours.map(({ perSecond }, n) => perSecond / beside[n]!.perSecond));
