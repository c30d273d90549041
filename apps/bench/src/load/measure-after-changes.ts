import { percentile, type Run } from "../figures/statistics.ts";

/** Calls `read` after each `change`, for a duration after a first read; only `read` is timed. */
export const measureAfterChanges = async (
  change: (n: number) => Promise<void>,
  read: () => Promise<void>,
  millis: number,
): Promise<Run> => {
  await read();
  const took: Array<number> = [];
  for (const until = performance.now() + millis; performance.now() < until;) {
    await change(took.length);
    const started = performance.now();
    await read();
    took.push(performance.now() - started);
  }
  return {
    perSecond: (took.length * 1000) / took.reduce((sum, one) => sum + one, 0),
    p50: percentile(took, 0.5),
    p99: percentile(took, 0.99),
  };
};
