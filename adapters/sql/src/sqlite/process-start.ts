import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/**
 * Returns a text for the start of a process; a later process with the same pid has another text. Null if the process
 * does not exist, "" if the system does not report starts.
 */
export const processStart = (pid: number): string | null => {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return null;
  }
  if (process.platform === "linux") return linuxStart(pid);
  try {
    return execFileSync("ps", ["-o", "lstart=", "-p", `${pid}`], { encoding: "utf8", stdio: "pipe" }).trim();
  } catch {
    return "";
  }
};

/**
 * Returns the boot id and the clock ticks since the boot (proc(5): field 22; field 2, the name, may contain anything
 * and ends at the last `)`).
 */
const linuxStart = (pid: number): string | null => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const hasEnded = fields[0] === "Z" || fields[0] === "X";
    return hasEnded ? null : `${readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim()}/${fields[19]}`;
  } catch {
    return "";
  }
};
