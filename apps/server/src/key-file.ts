import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SigningJwk } from "@postern/jose";
import { Effect, Schema } from "effect";
import { ConfigError } from "./config.ts";
import { newSealingKey, newSigningKey } from "./new-keys.ts";

/** Keys that were made here; `sealing` has the form of `CREDENTIAL_KEYS`. */
const KeyFile = Schema.Struct({ signing: Schema.NonEmptyArray(SigningJwk), sealing: Schema.NonEmptyString });
export type KeyFile = typeof KeyFile.Type;

/** `keys.json` of a data folder: the keys of a service on the embedded database, made when they are first asked for. */
export const keyFile = (dataDir: string) => {
  const file = join(dataDir, "keys.json");
  const unusable = (cause: unknown) =>
    new ConfigError({
      message: `DATA_DIR cannot be used: ${file}: ${(cause as Error).message}; it takes a writable folder.`,
    });

  /** Written whole and only readable by us before it takes its name, so that no reader sees half a file. */
  const write = (keys: KeyFile) =>
    Effect.tryPromise({
      try: async () => {
        const draft = `${file}.${process.pid}`;
        await mkdir(dataDir, { recursive: true, mode: 0o700 });
        await writeFile(draft, JSON.stringify(keys), { mode: 0o600, flush: true });
        await rename(draft, file);
      },
      catch: unusable,
    });

  const make = Effect.gen(function* () {
    const keys: KeyFile = { signing: [yield* newSigningKey], sealing: newSealingKey() };
    yield* write(keys);
    return keys;
  });

  const read = Effect.tryPromise(() => readFile(file, "utf8")).pipe(
    Effect.flatMap((text) =>
      Effect.mapError(
        Schema.decodeUnknownEffect(Schema.fromJsonString(KeyFile))(text),
        () => new ConfigError({ message: `${file} is damaged; restore it: without it nothing kept can be read.` }),
      ),
    ),
    Effect.catchTag("UnknownError", ({ cause }) =>
      (cause as NodeJS.ErrnoException).code === "ENOENT" ? make : Effect.fail(unusable(cause)),
    ),
  );

  return { read, write };
};
