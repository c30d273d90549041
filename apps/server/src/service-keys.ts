import { SigningJwk } from "@postern/jose";
import type { SealingKey } from "@postern/node-crypto";
import { Effect, Option, Redacted, Schema } from "effect";
import { type Config, ConfigError } from "./config.ts";
import { keyFile } from "./key-file.ts";

/** What the service signs tokens and seals secrets with. */
export interface ServiceKeys {
  readonly signing: ReadonlyArray<SigningJwk>;
  /** The first one seals. */
  readonly sealing: ReadonlyArray<SealingKey>;
}

const SigningKeys = Schema.fromJsonString(Schema.NonEmptyArray(SigningJwk));

/**
 * The keys of this service: `JWT_KEYS` and `CREDENTIAL_KEYS`; where these are not set, which only the embedded database
 * allows, those kept in `DATA_DIR`, made at the first start (decisions 1).
 */
export const serviceKeys = Effect.fnUntraced(function* (config: Config): Effect.fn.Return<ServiceKeys, ConfigError> {
  const kept = Option.isNone(config.databaseUrl) ? yield* keyFile(config.dataDir).read : undefined;
  return {
    signing: Option.isSome(config.jwtKeys)
      ? yield* readSigningKeys(Redacted.value(config.jwtKeys.value))
      : (kept?.signing ?? []),
    sealing: yield* readSealingKeys(
      Option.match(config.credentialKeys, { onNone: () => kept?.sealing ?? "", onSome: Redacted.value }),
    ),
  };
});

const readSigningKeys = (text: string) =>
  Schema.decodeUnknownEffect(SigningKeys)(text).pipe(
    Effect.mapError(() => refuse("JWT_KEYS", "a JSON array of private Ed25519 JWKs, each with a kid")),
  );

/** The keys that a text in the form of `CREDENTIAL_KEYS` lists. */
export const readSealingKeys = (text: string): Effect.Effect<ReadonlyArray<SealingKey>, ConfigError> => {
  const keys = text.split(",").map((entry) => /^([A-Za-z0-9_-]{1,64}):([A-Za-z0-9+/]{43}=)$/.exec(entry.trim()));
  return keys.every((key) => key !== null)
    ? Effect.succeed(keys.map(([, kid, key]) => ({ kid: kid!, key: new Uint8Array(Buffer.from(key!, "base64")) })))
    : Effect.fail(
        refuse("CREDENTIAL_KEYS", "kid:base64 of 32 bytes, several with commas between, the first one seals"),
      );
};

const refuse = (name: string, takes: string) =>
  new ConfigError({ message: `${name} cannot be used; it takes ${takes}.` });
