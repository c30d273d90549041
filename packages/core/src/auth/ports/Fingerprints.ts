import { Context, type Redacted } from "effect";
import type { AccountId } from "../../shared/index.ts";

/** Hashes secrets and accounts, to compare them without storing them (spec 3). Synchronous: a hash of a few bytes. */
export class Fingerprints extends Context.Service<
  Fingerprints,
  {
    /** SHA-256 of a token or cookie, which is too random to guess. */
    readonly ofToken: (token: string) => string;
    /** Keyed HMAC of a password: without the key it cannot be used to guess the password. */
    readonly ofPassword: (account: AccountId, password: Redacted.Redacted) => string;
    /** Keyed HMAC of an account, 16 letters: identifies accounts in logs without their address. */
    readonly ofAccount: (account: AccountId) => string;
  }
>()("@postern/core/auth/ports/Fingerprints") {}
