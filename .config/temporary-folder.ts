import { readFileSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";

const IN_MEMORY = "/dev/shm";

/** What all tests at once have in their temporary folders, several times over. */
const ROOM_BYTES = 4 * 2 ** 30;

/**
 * Returns the folder for the servers' files: in memory if there is room, because a mail server that waits for the disk takes
 * three times as much of the processor. Some servers run programs from there.
 */
export const temporaryFolder = (): string => {
  try {
    const mount = readFileSync("/proc/self/mounts", "utf8")
      .split("\n")
      .findLast((line) => line.split(" ")[1] === IN_MEMORY);
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    const isFit = mount !== undefined && !/\bnoexec\b/.test(mount) && bavail * bsize >= ROOM_BYTES;
    return isFit ? IN_MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
};
