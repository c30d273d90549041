/** The ratio of the two input sizes. */
const GROWTH = 16;

/** The CPU time of a garbage collection, in microseconds, which is independent of the input size. */
const NOISE = 3_000;

/**
 * Returns the growth of a task's cost divided by that of its input: about 1 if linear, 16 if quadratic. Measures the CPU
 * time of this process, so that other load on the machine does not matter.
 */
export const costGrowth = async (size: number, prepare: (size: number) => () => unknown): Promise<number> => {
  const small = await cost(prepare(size));
  const large = await cost(prepare(size * GROWTH));
  return large / (Math.max(small, NOISE) * GROWTH);
};

/** Returns the smallest CPU time of five runs, in microseconds. */
const cost = async (task: () => unknown): Promise<number> => {
  const costs: Array<number> = [];
  for (let n = 0; n < 5; n++) {
    const before = process.cpuUsage();
    await task();
    const { user, system } = process.cpuUsage(before);
    costs.push(user + system);
  }
  return Math.min(...costs);
};
