import { join, relative } from "node:path";

/** What a socket's path may have everywhere (unix(7): 108 with the NUL; 104 on macOS). */
const LONGEST_BYTES = 103;

/** Where a process that holds a folder is asked to keep the database still; undefined where no path to it is short enough. */
export const copySocket = (dataDir: string): string | undefined => {
  const path = join(dataDir, "copy.sock");
  return [path, relative(process.cwd(), path)].find((name) => Buffer.byteLength(name) <= LONGEST_BYTES);
};

/** From the process that has the database: the file does not change from here on. */
export const COPY = "copy";
/** From the one that copies: it has all of it. */
export const COPIED = "copied";
/** From the process that has the database: the file had not changed. */
export const UNCHANGED = "unchanged";
