import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Effect, type Scope } from "effect";
import { DataDirInUse, DataDirUnusable } from "../database/errors.ts";
import { processStart } from "./process-start.ts";

/** The process that holds a folder, as written in the lock file. */
interface Holder {
  readonly pid: number;
  readonly start: string;
}

const TRIES = 5;

/** A `DATA_DIR` that no other process uses until the scope of `hold` ends. */
export class DataDir {
  readonly path: string;
  private constructor(path: string) {
    this.path = path;
  }
  static readonly hold = (path: string): Effect.Effect<DataDir, DataDirInUse | DataDirUnusable, Scope.Scope> =>
    Effect.as(dataDirLock(path), new DataDir(path));
}

/**
 * Holds `DATA_DIR` for this process until the scope ends (spec 1). Takes over the lock of a dead process, also if a new
 * process has the same pid. Processes may be unable to see each other (containers that share a folder). Then SQLite's
 * operating system lock on the database's file excludes the second process, and the lock file only names the holder.
 */
const dataDirLock = (dataDir: string): Effect.Effect<void, DataDirInUse | DataDirUnusable, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.try({
      try: () => take(resolve(dataDir)),
      catch: (error) =>
        error instanceof DataDirInUse ? error : new DataDirUnusable({ dataDir, detail: (error as Error).message }),
    }),
    (release) => Effect.sync(release),
  ).pipe(Effect.asVoid);

/** Takes the lock. Returns the function that releases it. */
const take = (dataDir: string): (() => void) => {
  create(dataDir);
  const file = join(dataDir, "lock");
  const own = JSON.stringify({ pid: process.pid, start: processStart(process.pid) ?? "" } satisfies Holder);
  const draft = `${file}.${globalThis.crypto.randomUUID()}`;
  writeFileSync(draft, own, { mode: 0o600 });
  try {
    for (let tries = 0; tries < TRIES; tries++) {
      if (createLink(draft, file)) return () => release(file, own);
      const found = textOf(file);
      const holder = found === undefined ? undefined : holderOf(found);
      if (holder !== undefined && isHeldBy(holder)) throw new DataDirInUse({ dataDir, pid: holder.pid });
      if (found !== undefined) removeStale(file, found);
    }
    throw new DataDirInUse({ dataDir, pid: null });
  } finally {
    rmSync(draft, { force: true });
  }
};

/** Creates a folder and its parents. Node's recursive mkdir never returns below a folder like /proc. */
const create = (folder: string): void => {
  if (existsSync(folder)) return;
  create(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process created the folder at the same time.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
};

/**
 * Creates the lock file as a link, which is atomic, so that no process reads an incomplete lock; returns false if the
 * lock file exists.
 */
const createLink = (draft: string, file: string): boolean => {
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
};

/**
 * Removes a lock that still has the text found. If another process replaced the lock in the meantime, its lock is
 * restored.
 */
export const removeStale = (file: string, stale: string): void => {
  const aside = `${file}.${globalThis.crypto.randomUUID()}`;
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  if (textOf(aside) !== stale) createLink(aside, file);
  rmSync(aside, { force: true });
};

const release = (file: string, own: string): void => {
  if (textOf(file) === own) rmSync(file, { force: true });
};

const textOf = (file: string): string | undefined => {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
};

/** Parses a lock; returns undefined for any other text. */
const holderOf = (text: string): Holder | undefined => {
  try {
    const { pid, start } = JSON.parse(text) as Partial<Holder>;
    return Number.isSafeInteger(pid) && typeof start === "string" ? { pid: pid!, start } : undefined;
  } catch {
    return undefined;
  }
};

const isHeldBy = ({ pid, start }: Holder): boolean => {
  const now = processStart(pid);
  return now !== null && (now === start || now === "" || start === "");
};
