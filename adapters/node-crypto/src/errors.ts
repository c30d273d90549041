import { Schema } from "effect";

/** A configured key cannot be used. Contains the key's name, never its content. */
export class KeyUnusable extends Schema.TaggedError<KeyUnusable>()("KeyUnusable", {
  /** `idKey`, or the position of a key in its list. */
  key: Schema.String,
  problem: Schema.String,
}) {
  override get message(): string {
    return `${this.key}: ${this.problem}`;
  }
}

/**
 * A sealed secret cannot be opened. `format`: not a sealed secret, or truncated. `unknown_key`: sealed under a key that
 * was not given. `mismatch`: altered, or sealed for another table, account or column.
 */
export class SecretUnreadable extends Schema.TaggedError<SecretUnreadable>()("SecretUnreadable", {
  reason: Schema.Literals(["format", "unknown_key", "mismatch"]),
  /** The name of the key in the sealed text. */
  kid: Schema.NullOr(Schema.String),
}) {
  override get message(): string {
    if (this.reason === "format") return "it is no sealed secret";
    return this.reason === "unknown_key"
      ? `it is sealed under the key ${this.kid}, which was not given`
      : `it was altered, or belongs elsewhere, or the key ${this.kid} is another`;
  }
}
