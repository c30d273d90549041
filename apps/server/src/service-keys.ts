import { randomBytes } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { generateSigningKey, SigningJwk } from "@postern/jose";
import type { SealingKey } from "@postern/node-crypto";
import { Effect, Option, Redacted, Schema } from "effect";
import { type Config, ConfigError } from "./config.ts";

/** What the service signs tokens, seals credentials and names messages with. */
export interface ServiceKeys {
  readonly signing: ReadonlyArray<SigningJwk>;
  /** The first one seals. */
  readonly sealing: ReadonlyArray<SealingKey>;
  /** 32 bytes; message ids last as long as this does. */
  readonly id: Uint8Array;
}

const SigningKeys = Schema.NonEmptyArray(SigningJwk);

const KeyFile = Schema.fromJsonString(
  Schema.Struct({ signing: SigningKeys, sealing: Schema.NonEmptyString, id: Schema.NonEmptyString }),
);

/**
 * The keys of this service: kept in `DATA_DIR`, where they are made at the first start, with those of `JWT_KEYS` and
 * `CREDENTIAL_KEYS` in their place where these are set (decisions 1).
 */
export const serviceKeys = Effect.fnUntraced(function* (config: Config): Effect.fn.Return<ServiceKeys, ConfigError> {
  const kept = yield* keptKeys(config.dataDir);
  const signing = Option.map(config.jwtKeys, (keys) => readSigningKeys(Redacted.value(keys)));
  const sealing = Option.map(config.credentialKeys, (keys) => readSealingKeys(Redacted.value(keys)));
  return {
    id: kept.id,
    signing: Option.isSome(signing) ? yield* signing.value : kept.signing,
    sealing: Option.isSome(sealing) ? yield* sealing.value : yield* readSealingKeys(kept.sealing),
  };
});

const readSigningKeys = (text: string) =>
  Schema.decodeUnknownEffect(Schema.fromJsonString(SigningKeys))(text).pipe(
    Effect.mapError(() => refuse("JWT_KEYS", "a JSON array of private Ed25519 JWKs, each with a kid")),
  );

const readSealingKeys = (text: string): Effect.Effect<ReadonlyArray<SealingKey>, ConfigError> => {
  const keys = text.split(",").map((entry) => /^([A-Za-z0-9_-]{1,64}):([A-Za-z0-9+/]{43}=)$/.exec(entry.trim()));
  return keys.every((key) => key !== null)
    ? Effect.succeed(keys.map(([, kid, key]) => ({ kid: kid!, key: new Uint8Array(Buffer.from(key!, "base64")) })))
    : Effect.fail(
        refuse("CREDENTIAL_KEYS", "kid:base64 of 32 bytes, several with commas between, the first one seals"),
      );
};

const refuse = (name: string, takes: string) =>
  new ConfigError({ message: `${name} cannot be used; it takes ${takes}.` });

const keptKeys = Effect.fnUntraced(function* (dataDir: string) {
  const file = join(dataDir, "keys.json");
  const text = yield* Effect.tryPromise(() => readFile(file, "utf8")).pipe(
    Effect.catch((error) => (isMissing(error.cause) ? makeKeys(dataDir, file) : unusable(file, error.cause))),
  );
  const { id, ...keys } = yield* Schema.decodeUnknownEffect(KeyFile)(text).pipe(
    Effect.mapError(
      () => new ConfigError({ message: `${file} is damaged; restore it: without it nothing kept can be read.` }),
    ),
  );
  return { ...keys, id: new Uint8Array(Buffer.from(id, "base64")) };
});

/** Written whole and only readable by us before it takes its name, so that no reader sees half a file. */
const makeKeys = Effect.fnUntraced(function* (dataDir: string, file: string) {
  const signing = yield* generateSigningKey("k1");
  const [sealing, id] = [randomBytes(32).toString("base64"), randomBytes(32).toString("base64")];
  const text = JSON.stringify({ signing: [signing], sealing: `k1:${sealing}`, id });
  const draft = `${file}.${process.pid}`;
  yield* Effect.tryPromise(async () => {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await writeFile(draft, text, { mode: 0o600, flag: "wx" });
    await rename(draft, file);
  }).pipe(Effect.catch((error) => unusable(file, error.cause)));
  return text;
});

const isMissing = (cause: unknown): boolean => (cause as NodeJS.ErrnoException).code === "ENOENT";

const unusable = (file: string, cause: unknown) =>
  new ConfigError({
    message: `DATA_DIR cannot be used: ${file}: ${(cause as Error).message}; it takes a writable folder.`,
  });
