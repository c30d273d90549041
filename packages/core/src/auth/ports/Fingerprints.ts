import { Context, type Redacted } from "effect";
import type { AccountId } from "../../shared/index.ts";

/**
 * Hashes secrets and accounts, so that they can be compared without being stored (spec 3). The functions are
 * synchronous, because they hash only a few bytes.
 */
export class Fingerprints extends Context.Service<
  Fingerprints,
  {
    /** Returns the SHA-256 of a token or cookie. Tokens and cookies are too random to guess. */
    readonly ofToken: (token: string) => string;
    /** Returns a keyed HMAC of a password. Without the key, the HMAC cannot be used to guess the password. */
    readonly ofPassword: (account: AccountId, password: Redacted.Redacted) => string;
    /** Returns a keyed HMAC of an account in 16 letters, which identifies the account in logs without its address. */
    readonly ofAccount: (account: AccountId) => string;
  }
>()("@postern/core/auth/ports/Fingerprints") {}
