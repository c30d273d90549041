import { Schema } from "effect";

/** 32 bytes as base64url: the two unused bits of the last letter are zero. */
const Bytes32 = Schema.String.check(Schema.isPattern(/^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/));

/** A private Ed25519 key as a JSON Web Key (RFC 8037): `x` is public, `d` is the secret. Other members are ignored. */
export const SigningJwk = Schema.Struct({
  kty: Schema.Literal("OKP"),
  crv: Schema.Literal("Ed25519"),
  kid: Schema.NonEmptyString,
  x: Bytes32,
  d: Bytes32,
});

export type SigningJwk = typeof SigningJwk.Type;

/** A signing key cannot be used. Contains its name and the reason, never its content. */
export class SigningKeyInvalid extends Schema.TaggedError<SigningKeyInvalid>()("SigningKeyInvalid", {
  /** The position of the key in the list, from 0. */
  index: Schema.Int,
  kid: Schema.NullOr(Schema.String),
  problem: Schema.String,
}) {
  override get message(): string {
    return `signing key ${this.index + 1}${this.kid === null ? "" : ` (kid ${this.kid})`}: ${this.problem}`;
  }
}
