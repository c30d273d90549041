import { randomBytes } from "node:crypto";
import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { generateSigningKey, SigningJwk } from "@postern/jose";
import { Effect, Option, Redacted, Schema } from "effect";
import { type Config, ConfigError } from "./config.ts";

/** What the service signs tokens and names messages with. */
export interface ServiceKeys {
  readonly signing: ReadonlyArray<SigningJwk>;
  /** 32 bytes; message ids last as long as this does. */
  readonly id: Uint8Array;
}

const SigningKeys = Schema.NonEmptyArray(SigningJwk);

const KeyFile = Schema.fromJsonString(Schema.Struct({ signing: SigningKeys, id: Schema.NonEmptyString }));

/**
 * The keys of this service: kept in `DATA_DIR`, where they are made at the first start, with those of `JWT_KEYS` in
 * place of the signing keys where it is set (decisions 1).
 */
export const serviceKeys = (config: Config): Effect.Effect<ServiceKeys, ConfigError> =>
  Effect.gen(function* () {
    const kept = yield* keptKeys(config.dataDir);
    if (Option.isNone(config.jwtKeys)) return kept;
    const signing = yield* Schema.decodeUnknownEffect(Schema.fromJsonString(SigningKeys))(
      Redacted.value(config.jwtKeys.value),
    ).pipe(
      Effect.mapError(
        () =>
          new ConfigError({
            message: "JWT_KEYS cannot be used; it takes a JSON array of private Ed25519 JWKs, each with a kid.",
          }),
      ),
    );
    return { ...kept, signing };
  });

const keptKeys = Effect.fnUntraced(function* (dataDir: string) {
  const file = join(dataDir, "keys.json");
  const text = yield* Effect.tryPromise(() => readFile(file, "utf8")).pipe(
    Effect.catch((error) => (isMissing(error.cause) ? makeKeys(dataDir, file) : unusable(file, error.cause))),
  );
  const { signing, id } = yield* Schema.decodeUnknownEffect(KeyFile)(text).pipe(
    Effect.mapError(
      () => new ConfigError({ message: `${file} is damaged; restore it, or remove it to make new keys.` }),
    ),
  );
  return { signing, id: new Uint8Array(Buffer.from(id, "base64")) };
});

/** Written whole and only readable by us before it takes its name, so that no reader sees half a file. */
const makeKeys = Effect.fnUntraced(function* (dataDir: string, file: string) {
  const signing = yield* generateSigningKey("k1");
  const text = JSON.stringify({ signing: [signing], id: randomBytes(32).toString("base64") });
  const draft = `${file}.${process.pid}`;
  yield* Effect.tryPromise(async () => {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await writeFile(draft, text, { mode: 0o600 });
    await chmod(draft, 0o600);
    await rename(draft, file);
  }).pipe(Effect.catch((error) => unusable(file, error.cause)));
  return text;
});

const isMissing = (cause: unknown): boolean => (cause as NodeJS.ErrnoException).code === "ENOENT";

const unusable = (file: string, cause: unknown) =>
  new ConfigError({
    message: `DATA_DIR cannot be used: ${file}: ${(cause as Error).message}; it takes a writable folder.`,
  });
