import { constants } from "node:fs";
import { type FileHandle, mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { StoreUnavailable } from "@postern/core/shared";
import { UploadContents } from "@postern/core/send";
import { Effect, Layer, Option, Stream } from "effect";

export interface FilesOptions {
  /** The folder. It is created if missing, accessible only to the user of this process. */
  readonly folder: string;
}

/** How many bytes are read at a time. */
const PART = 64 * 1024;
/** The form of an id; no other text becomes part of a path. */
const ID = /^[A-Za-z0-9_-]{1,128}$/;

/** Stores each upload in a file named by its id. A write succeeds only after the file is flushed to disk (spec 6). */
export const layer = ({ folder }: FilesOptions): Layer.Layer<UploadContents> => {
  const pathOf = (id: string): string => {
    if (!ID.test(id)) throw new Error("invalid upload id");
    return join(folder, id);
  };

  const opened = (id: string, flags: number) =>
    Effect.acquireRelease(
      attempt(async () => open(pathOf(id), flags, 0o600)),
      (file) => Effect.ignore(attempt(() => file.close())),
    );

  /** A new file survives a crash only after its folder is flushed too. */
  const syncFolder = Effect.scoped(
    Effect.flatMap(
      Effect.acquireRelease(
        attempt(() => open(folder, constants.O_RDONLY)),
        (handle) => Effect.ignore(attempt(() => handle.close())),
      ),
      (handle) => attempt(() => handle.sync()),
    ),
  );

  return Layer.succeed(UploadContents, {
    write: Effect.fn("UploadContents.write")(function* <E, R>(id: string, bytes: Stream.Stream<Uint8Array, E, R>) {
      yield* attempt(() => mkdir(folder, { recursive: true, mode: 0o700 }));
      const file = yield* opened(id, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL);
      let size = 0;
      yield* Stream.runForEach(bytes, (part) => {
        size += part.length;
        return attempt(() => file.writeFile(part));
      });
      yield* attempt(() => file.sync());
      yield* syncFolder;
      return size;
    }, Effect.scoped),

    read: (id) =>
      Stream.unwrap(
        Effect.map(opened(id, constants.O_RDONLY), (file) =>
          Stream.paginate(0, (from) =>
            Effect.map(
              attempt(() => readPart(file, from)),
              (part) =>
                part.length === 0
                  ? ([[], Option.none()] as const)
                  : ([[part], Option.some(from + part.length)] as const),
            ),
          ),
        ),
      ).pipe(Stream.scoped),

    remove: Effect.fn("UploadContents.remove")(function* (id) {
      yield* attempt(async () => rm(pathOf(id), { force: true }));
    }),
  });
};

const readPart = async (file: FileHandle, from: number): Promise<Uint8Array> => {
  const part = new Uint8Array(PART);
  const { bytesRead } = await file.read(part, 0, PART, from);
  return part.subarray(0, bytesRead);
};

/**
 * Runs a file operation and converts its errors; an error from elsewhere is a defect. Uninterruptible, so that no file
 * is closed while in use.
 */
const attempt = <A>(work: () => Promise<A>): Effect.Effect<A, StoreUnavailable> =>
  Effect.tryPromise(work).pipe(
    Effect.catch(({ cause }) =>
      isFromSystem(cause)
        ? Effect.fail(new StoreUnavailable({ detail: `the folder of uploads: ${cause.code}` }))
        : Effect.die(cause),
    ),
    Effect.uninterruptible,
  );

const isFromSystem = (error: unknown): error is NodeJS.ErrnoException & { readonly code: string } =>
  typeof (error as NodeJS.ErrnoException).errno === "number";
