import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Clock ticks per second in /proc (USER_HZ), the same on every current Linux. */
const TICKS_PER_SECOND = 100;

/** Returns the CPU time of a process in milliseconds. Linux only. */
export const cpuMillis = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
};

/** Returns the resident memory of a process in MiB. */
export const residentMiB = (pid: number): number => {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  return Number(/^Rss:\s+(\d+)/m.exec(rollup)?.[1] ?? Number.NaN) / 1024;
};

const ESTABLISHED = "01";

/** Returns the number of IPv4 connections of a process to a port of this machine. */
export const connectionsTo = (port: number, pid: number): number => {
  const sockets = new Set(
    readdirSync(`/proc/${pid}/fd`).map((fd) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${fd}`);
      } catch {
        return "";
      }
    }),
  );
  const remote = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const lines = readFileSync(`/proc/${pid}/net/tcp`, "utf8").split("\n").slice(1);
  return lines.filter((line) => {
    const [, , to, state, , , , , , inode] = line.trim().split(/\s+/);
    return to?.endsWith(remote) === true && state === ESTABLISHED && sockets.has(`socket:[${inode}]`);
  }).length;
};
