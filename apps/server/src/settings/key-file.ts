import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SigningJwk } from "@postern/jose";
import { beginSqlite, type DataDir } from "@postern/sql";
import { Effect, Option, Schema } from "effect";
import { ConfigError } from "./config.ts";
import { newSealingKey, newSigningKey } from "./new-keys.ts";

/** Generated keys; `sealing` has the form of `CREDENTIAL_KEYS`. */
const KeyFile = Schema.Struct({ signing: Schema.NonEmptyArray(SigningJwk), sealing: Schema.NonEmptyString });
export type KeyFile = typeof KeyFile.Type;

/** Reads and writes `keys.json` of a locked folder: the keys of a service on the embedded database. */
export const keyFile = (folder: DataDir) => {
  const file = join(folder.path, "keys.json");
  const unusable = (cause: unknown) =>
    new ConfigError({
      message: `DATA_DIR cannot be used: ${file}: ${(cause as Error).message}; it takes a writable folder.`,
    });

  const lost = new ConfigError({
    message: `${folder.path} has postern.db, but its keys.json is missing; restore keys.json: without it the stored credentials cannot be decrypted.`,
  });

  /**
   * Writes the file. The file gets its name only when it is complete and only this user can read it, so that no reader
   * sees half a file.
   */
  const write = (keys: KeyFile) =>
    Effect.tryPromise({
      try: async () => {
        const draft = `${file}.${process.pid}`;
        try {
          await writeFile(draft, JSON.stringify(keys), { mode: 0o600, flush: true });
          await rename(draft, file);
        } finally {
          await rm(draft, { force: true });
        }
      },
      catch: unusable,
    });

  /** Reads the file; returns none if it does not exist. */
  const read = Effect.tryPromise(() => readFile(file, "utf8")).pipe(
    Effect.flatMap((text) =>
      Effect.mapError(
        Schema.decodeUnknownEffect(Schema.fromJsonString(KeyFile))(text),
        () =>
          new ConfigError({
            message: `${file} is damaged; restore it: without it the stored credentials cannot be decrypted.`,
          }),
      ),
    ),
    Effect.asSome,
    Effect.catchTag("UnknownError", ({ cause }) =>
      (cause as NodeJS.ErrnoException).code === "ENOENT" ? Effect.succeedNone : Effect.fail(unusable(cause)),
    ),
  );

  const make = Effect.gen(function* () {
    const keys: KeyFile = { signing: [yield* newSigningKey], sealing: newSealingKey() };
    yield* write(keys);
    return keys;
  });

  /**
   * Writes the keys at the first start, after the database was created. An earlier interruption leaves no `keys.json`,
   * and the start can be repeated. If `keys.json` exists without a database, the database was lost.
   */
  const readOrMake = Effect.gen(function* () {
    const found = yield* read;
    if (Option.isSome(found)) return found.value;
    return yield* beginSqlite(folder, (hasSecrets) =>
      Effect.flatMap(read, (found) => {
        // A process that does not see the lock of this process may have created the file at the same time.
        if (Option.isSome(found)) return Effect.succeed(found.value);
        return hasSecrets ? Effect.fail(lost) : make;
      }),
    );
  });

  return { readOrMake, write };
};
