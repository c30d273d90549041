/** How many times larger the second input is. */
const GROWTH = 16;

/** Processor time that a garbage collection may cost at any size, in microseconds. */
const NOISE = 3_000;

/**
 * How often the cost of a task grows beyond that of its input: about 1 where it is linear, 16 where it is quadratic. Told
 * by the processor time of this process, so that a machine with much else to do changes nothing.
 */
export const costGrowth = async (size: number, prepare: (size: number) => () => unknown): Promise<number> => {
  const small = await cost(prepare(size));
  const large = await cost(prepare(size * GROWTH));
  return large / (Math.max(small, NOISE) * GROWTH);
};

/** The least of three. */
const cost = async (task: () => unknown): Promise<number> => {
  const costs: Array<number> = [];
  for (let n = 0; n < 3; n++) {
    const before = process.cpuUsage();
    await task();
    const { user, system } = process.cpuUsage(before);
    costs.push(user + system);
  }
  return Math.min(...costs);
};
