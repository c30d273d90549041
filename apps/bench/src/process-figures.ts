import { readFileSync } from "node:fs";

/** Clock ticks a second of /proc (USER_HZ), the same on every Linux of today. */
const TICKS = 100;

/** CPU time a process has used so far, in milliseconds. Linux only. */
export const cpuMillis = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS;
};

/** Resident memory of a process in MiB. */
export const residentMiB = (pid: number): number => {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  return Number(/^Rss:\s+(\d+)/m.exec(rollup)?.[1] ?? Number.NaN) / 1024;
};
