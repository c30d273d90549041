import { SigningJwk } from "@postern/jose";
import type { SealingKey } from "@postern/node-crypto";
import { DataDir, type PostgresOptions, type SqliteOptions, type SqliteStartError } from "@postern/sql";
import { Effect, Option, Redacted, Schema, type Scope } from "effect";
import { type Config, ConfigError } from "./config.ts";
import { keyFile } from "./key-file.ts";

/** The keys with which the service signs tokens and seals secrets, and the place where they are stored. */
export interface ServiceKeys {
  readonly signing: ReadonlyArray<SigningJwk>;
  /** The sealing keys; the first one seals new secrets. */
  readonly sealing: ReadonlyArray<SealingKey>;
  readonly storage: PostgresOptions | SqliteOptions;
}

const SigningKeys = Schema.fromJsonString(Schema.NonEmptyArray(SigningJwk));

/**
 * Returns the keys of this service, from `JWT_KEYS` and `CREDENTIAL_KEYS`. With the embedded database, a missing
 * setting is replaced by the keys in `DATA_DIR`, which are generated at the first start (spec 1). The folder is locked
 * before it is read, until the scope closes.
 */
export const serviceKeys = Effect.fnUntraced(function* (
  config: Config,
  embedded = false,
): Effect.fn.Return<ServiceKeys, ConfigError | SqliteStartError, Scope.Scope> {
  const opened = yield* Option.match(config.databaseUrl, {
    onNone: () => openFolder(config),
    onSome: (url) => {
      const storage = { url, poolSize: config.databaseConnections, ...schemaOf(config, embedded) };
      return Effect.succeed({ kept: undefined, storage });
    },
  });
  return {
    signing: Option.isSome(config.jwtKeys)
      ? yield* readSigningKeys(Redacted.value(config.jwtKeys.value))
      : (opened.kept?.signing ?? []),
    sealing: yield* readSealingKeys(
      Option.match(config.credentialKeys, { onNone: () => opened.kept?.sealing ?? "", onSome: Redacted.value }),
    ),
    storage: opened.storage,
  };
});

/**
 * Returns the schema. An embedded service uses a separate schema in the database of its host, unless an earlier version
 * created its tables elsewhere.
 */
const schemaOf = ({ databaseSchema }: Config, embedded: boolean) =>
  Option.isNone(databaseSchema) && embedded
    ? { schema: "postern", orEarlierTables: true }
    : { schema: Option.getOrUndefined(databaseSchema) };

/**
 * Opens the folder. `keys.json` is written after the database beside it, so if `keys.json` exists, the database must
 * exist too.
 */
const openFolder = Effect.fnUntraced(function* ({ dataDir, jwtKeys, credentialKeys }: Config) {
  const folder = yield* DataDir.hold(dataDir);
  const areGiven = Option.isSome(jwtKeys) && Option.isSome(credentialKeys);
  const kept = areGiven ? undefined : yield* keyFile(folder).readOrMake;
  return { kept, storage: { folder, mustExist: kept !== undefined } };
});

const readSigningKeys = (text: string) =>
  Schema.decodeUnknownEffect(SigningKeys)(text).pipe(
    Effect.mapError(() => refuse("JWT_KEYS", "a JSON array of private Ed25519 JWKs, each with a kid")),
  );

/** Returns the keys listed in a text in the form of `CREDENTIAL_KEYS`. */
export const readSealingKeys = (text: string): Effect.Effect<ReadonlyArray<SealingKey>, ConfigError> => {
  const keys = text.split(",").map((entry) => /^([A-Za-z0-9_-]{1,64}):([A-Za-z0-9+/]{43}=)$/.exec(entry.trim()));
  return keys.every((key) => key !== null)
    ? Effect.succeed(keys.map(([, kid, key]) => ({ kid: kid!, key: new Uint8Array(Buffer.from(key!, "base64")) })))
    : Effect.fail(
        refuse("CREDENTIAL_KEYS", "kid:base64 of 32 bytes, several separated by commas; the first one encrypts"),
      );
};

const refuse = (name: string, takes: string) =>
  new ConfigError({ message: `${name} cannot be used; it takes ${takes}.` });
