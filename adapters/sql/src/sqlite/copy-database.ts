import { constants } from "node:fs";
import { copyFile, open as openFile, realpath, rename, rm } from "node:fs/promises";
import { connect as connectSocket } from "node:net";
import { basename, dirname, join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Effect } from "effect";
import { CopyFailed, DatabaseMissing, type DataDirInUse, type DataDirUnusable } from "../database/errors.ts";
import { newEpoch } from "../events/new-epoch.ts";
import { DATABASE, openBegun } from "./connection.ts";
import { COPIED, COPY, copySocket, UNCHANGED } from "./copy-socket.ts";
import { DataDir } from "./DataDir.ts";

/** Files of the folder, which a copy must not replace. */
const KEPT = /^(postern\.db.*|keys\.json|lock|copy\.sock|uploads)$/;

export type CopyError = CopyFailed | DatabaseMissing | DataDirInUse | DataDirUnusable;

/**
 * Copies the database of a folder to a file, even while a process uses it. The file gets its name only when it is
 * complete, checked and flushed to disk.
 */
export const copyDatabase = (dataDir: string, file: string): Effect.Effect<void, CopyError> =>
  Effect.gen(function* () {
    yield* attempt(() => refuseKept(dataDir, file));
    const draft = `${resolve(file)}.${process.pid}`;
    yield* Effect.gen(function* () {
      const isUsed = yield* attempt(() => copyBeside(dataDir, draft));
      if (!isUsed) yield* copyAlone(dataDir, draft);
      yield* attempt(() => finish(draft, file));
    }).pipe(Effect.ensuring(Effect.promise(() => rm(draft, { force: true }))));
  });

const attempt = <A>(work: () => Promise<A>): Effect.Effect<A, CopyFailed> =>
  Effect.mapError(Effect.tryPromise(work), ({ cause }) => new CopyFailed({ detail: (cause as Error).message }));

const refuseKept = async (dataDir: string, file: string) => {
  const kept = await folderAt(dataDir, "DATA_DIR names the folder of the service");
  const folder = await folderAt(dirname(resolve(file)), "create it first");
  if (kept === folder && KEPT.test(basename(file))) throw new Error(`${file} is a file of DATA_DIR itself`);
};

const folderAt = (folder: string, advice: string): Promise<string> =>
  realpath(folder).catch(({ code }: NodeJS.ErrnoException) => {
    throw new Error(`the folder ${folder} ${code === "ENOENT" ? "does not exist" : "cannot be read"}; ${advice}`);
  });

/** Copies while the process that uses the folder keeps the file unchanged. Returns false if no process answers. */
const copyBeside = async (dataDir: string, draft: string): Promise<boolean> => {
  const path = copySocket(dataDir);
  if (path === undefined) return false;
  const socket = connectSocket(path);
  try {
    const words = socket[Symbol.asyncIterator]();
    const next = async () => String((await words.next()).value ?? "");
    const first = await next().catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ECONNREFUSED") return undefined;
      throw error;
    });
    if (first === undefined) return false;
    if (first !== COPY) throw new Error("the service cannot keep its database still now; try again");
    await copyFile(join(dataDir, DATABASE), draft, constants.COPYFILE_FICLONE);
    socket.write(COPIED);
    if ((await next().catch(() => "")) === UNCHANGED) return true;
    throw new Error("the database changed or the service stopped meanwhile; try again");
  } finally {
    socket.destroy();
  }
};

/** Copies while this process holds the folder; runs no migration. */
const copyAlone = (dataDir: string, draft: string) =>
  Effect.gen(function* () {
    const folder = yield* DataDir.hold(dataDir);
    yield* Effect.acquireUseRelease(
      Effect.try({
        try: () => openBegun(join(folder.path, DATABASE), dataDir),
        catch: (error) =>
          error instanceof DatabaseMissing ? error : new CopyFailed({ detail: (error as Error).message }),
      }),
      (database) => attempt(async () => database.prepare("vacuum into ?").run(draft)),
      (database) => Effect.sync(() => database.close()),
    );
  }).pipe(Effect.scoped);

/**
 * Gives a copy a separate event feed, because its further events differ from those that clients of the original read
 * (spec 7.10).
 */
const beginOtherFeed = (copy: DatabaseSync) => {
  const [feed] = copy.prepare("select name from sqlite_master where name = 'event_feed'").all();
  if (feed !== undefined) copy.prepare("update event_feed set epoch = ?").run(newEpoch());
};

const finish = async (draft: string, file: string) => {
  const copy = new DatabaseSync(draft);
  try {
    // The copy must be a single file in any mode of opening.
    copy.exec("pragma journal_mode = delete");
    const [found] = copy.prepare("pragma quick_check").all();
    if (Object.values(found ?? {})[0] !== "ok") throw new Error("the copy is damaged");
    beginOtherFeed(copy);
  } finally {
    copy.close();
  }
  const handle = await openFile(draft, "r+");
  try {
    await handle.chmod(0o600);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, file);
};
