import { join, relative } from "node:path";

/** Maximum length of a socket's path on all systems (unix(7): 108 with the NUL; 104 on macOS). */
const MAX_PATH_BYTES = 103;

/** Returns the path of the socket of the process that holds a folder; undefined if the path is too long. */
export const copySocket = (dataDir: string): string | undefined => {
  const path = join(dataDir, "copy.sock");
  return [path, relative(process.cwd(), path)].find((name) => Buffer.byteLength(name) <= MAX_PATH_BYTES);
};

/** The message of the process with the database: the file does not change from now on. */
export const COPY = "copy";
/** The message of the copying process: the copy is complete. */
export const COPIED = "copied";
/** The message of the process with the database: the file did not change. */
export const UNCHANGED = "unchanged";
