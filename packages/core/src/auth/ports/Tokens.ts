import { Context, type Effect, type Option } from "effect";
import type { AccountId } from "../../shared/index.ts";
import type { TokenRejected } from "../errors.ts";

/**
 * The use of a token: an access token for the API, a refresh token only for a new pair. A token for one use is never
 * accepted for the other.
 */
export type TokenUse = "access" | "refresh";

/** The claims of a token. Times are epoch milliseconds, whole seconds on the wire. */
export interface TokenClaims {
  readonly account: AccountId;
  readonly sessionId: string;
  readonly tokenId: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** A token and the key that signed it. */
export interface IssuedToken {
  readonly token: string;
  readonly keyId: string;
}

/** Signs and verifies tokens (spec 3): one algorithm, issuer and audience per use; expiry by the Clock. */
export class Tokens extends Context.Service<
  Tokens,
  {
    readonly issue: (use: TokenUse, claims: TokenClaims) => Effect.Effect<IssuedToken>;
    /** Returns the same token that `issue` made from these claims and this key; none if the key was removed. */
    readonly reissue: (use: TokenUse, claims: TokenClaims, keyId: string) => Effect.Effect<Option.Option<string>>;
    readonly verify: (use: TokenUse, token: string) => Effect.Effect<TokenClaims, TokenRejected>;
    /** The public keys as a JSON Web Key Set (RFC 7517). */
    readonly publicKeys: { readonly keys: ReadonlyArray<Readonly<Record<string, unknown>>> };
  }
>()("@postern/core/auth/ports/Tokens") {}
