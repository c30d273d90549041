import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Effect, type Scope } from "effect";
import { DataDirInUse, DataDirUnusable } from "../errors.ts";
import { processStart } from "./process-start.ts";

/** Who holds a folder, as the lock file says. */
interface Holder {
  readonly pid: number;
  readonly start: string;
}

const TRIES = 5;

/** `DATA_DIR`, which no other process uses until the scope ends that `hold` was run in. */
export class DataDir {
  readonly path: string;
  private constructor(path: string) {
    this.path = path;
  }
  static readonly hold = (path: string): Effect.Effect<DataDir, DataDirInUse | DataDirUnusable, Scope.Scope> =>
    Effect.as(dataDirLock(path), new DataDir(path));
}

/**
 * Holds `DATA_DIR` for this process until the scope ends (spec 1). The lock of a process that is gone is taken
 * over; a process that merely has its number is not mistaken for it.
 *
 * It names the holder, which is all it is for where processes cannot see each other (containers that share a folder):
 * what keeps those apart is the lock of the operating system SQLite has on its file.
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

/** Takes the lock and gives back how to release it. */
const take = (dataDir: string): (() => void) => {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, "lock");
  const own = JSON.stringify({ pid: process.pid, start: processStart(process.pid) ?? "" } satisfies Holder);
  const draft = `${file}.${globalThis.crypto.randomUUID()}`;
  writeFileSync(draft, own, { mode: 0o600 });
  try {
    for (let tries = 0; tries < TRIES; tries++) {
      if (linked(draft, file)) return () => release(file, own);
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

/** A link is made whole or not at all, so that no process reads half a lock. */
const linked = (draft: string, file: string): boolean => {
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
};

/** Removes a lock if it still is what was found. Two may find the same one: who moved away a fresh one puts it back. */
export const removeStale = (file: string, stale: string): void => {
  const aside = `${file}.${globalThis.crypto.randomUUID()}`;
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  if (textOf(aside) !== stale) linked(aside, file);
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

/** None where the text is no lock of ours, which then holds nothing. */
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
