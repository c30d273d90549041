import { percentile, type Run } from "../figures/statistics.ts";

/** Calls `operation` in concurrent loops, each waiting for its answer, for a duration after a short warm-up. */
export const closedLoop = async (
  operation: (lane: number) => Promise<unknown>,
  { lanes, millis }: { readonly lanes: number; readonly millis: number },
): Promise<Run & { readonly calls: number }> => {
  const loop = async (until: number, took: Array<number> | undefined) => {
    await Promise.all(
      Array.from({ length: lanes }, async (_, lane) => {
        while (performance.now() < until) {
          const started = performance.now();
          await operation(lane);
          took?.push(performance.now() - started);
        }
      }),
    );
  };
  await loop(performance.now() + millis / 5, undefined);
  const took: Array<number> = [];
  const cpu = process.cpuUsage();
  const started = performance.now();
  await loop(started + millis, took);
  const elapsed = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  return {
    calls: took.length,
    perSecond: (took.length * 1000) / elapsed,
    p50: percentile(took, 0.5),
    p99: percentile(took, 0.99),
    cpu: (user + system) / 1000 / took.length,
  };
};
