import type { Worker } from "node:worker_threads";

/** Returns the CPU time that a worker has used since its measurement began, in milliseconds. */
export type CpuTime = () => Promise<number>;

/**
 * Begins to measure the CPU time of a worker. CPU time grows only while the worker runs; other work on the machine adds
 * nothing. Node.js before 24.6 has no `Worker.cpuUsage`, so there the CPU time of the process is used, limited to the
 * time in which the worker was active.
 */
export const measureCpu = async (worker: Worker): Promise<CpuTime> => {
  if (typeof worker.cpuUsage === "function") {
    const before = millisOf(await worker.cpuUsage());
    return async () => millisOf(await worker.cpuUsage()) - before;
  }
  const loop = worker.performance.eventLoopUtilization();
  const before = process.cpuUsage();
  return () =>
    Promise.resolve(Math.min(worker.performance.eventLoopUtilization(loop).active, millisOf(process.cpuUsage(before))));
};

const millisOf = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1_000;
