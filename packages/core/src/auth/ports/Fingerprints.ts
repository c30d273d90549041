import { Context, type Redacted } from "effect";
import type { AccountId } from "../../shared/index.ts";

/** Recognises secrets and accounts without keeping them (spec 3). Synchronous: a hash of a few bytes. */
export class Fingerprints extends Context.Service<
  Fingerprints,
  {
    /** SHA-256 of a token or cookie, which cannot be guessed. */
    readonly ofToken: (token: string) => string;
    /** Keyed HMAC of a password, which somebody could guess: worth nothing without the key. */
    readonly ofPassword: (account: AccountId, password: Redacted.Redacted) => string;
    /** Keyed HMAC of an account, 16 letters: tells accounts apart in a log that holds no address. */
    readonly ofAccount: (account: AccountId) => string;
  }
>()("@postern/core/auth/ports/Fingerprints") {}
