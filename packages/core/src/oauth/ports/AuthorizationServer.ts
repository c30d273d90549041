import { Context, type Effect, type Redacted } from "effect";
import type { AccountId } from "../../shared/index.ts";
import type { CallbackRejected, ConsentDenied, ProviderError } from "../errors.ts";
import type { OAuthApp } from "../OAuthApp.ts";

/** The user who consented. Issuer and subject identify a user permanently, while an address may be given to another user. */
export interface ProviderIdentity {
  readonly issuer: string;
  /** The claim `sub`; at Microsoft the claims `tid` and `oid`, joined by a full stop. */
  readonly subject: string;
  /**
   * The claim `email`, or else `preferred_username`; null without either. The claim proves nothing: only the mail
   * server proves an address.
   */
  readonly address: string | null;
}

/** The maximum lifetime of an access token, in seconds; longer lifetimes from the provider are reduced to it. */
export const MAX_LIFETIME_SECONDS = 30 * 86_400;

/** The tokens that a token endpoint issued. */
export interface IssuedTokens {
  readonly accessToken: Redacted.Redacted;
  /** The lifetime of the access token in seconds, at most `MAX_LIFETIME_SECONDS`. */
  readonly expiresIn: number;
  /** The new refresh token; null if the presented one stays valid. */
  readonly refreshToken: Redacted.Redacted | null;
  /** The user named by the identity token, whose signature and claims were checked; null if none was issued. */
  readonly identity: ProviderIdentity | null;
}

/** The parameters of one consent, for the user's browser and the token endpoint. */
export interface ConsentRequest {
  /** The URL to which the provider redirects the browser: `/oauth/callback` of this deployment. */
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  /** The PKCE secret, of which the browser sends only the SHA-256 (RFC 7636). */
  readonly verifier: Redacted.Redacted;
}

/** A started device authorization (RFC 8628). Times in seconds, bounded. */
export interface DeviceAuthorization {
  readonly deviceCode: Redacted.Redacted;
  readonly userCode: string;
  /** An https URL, or an http URL at the issuer's host and port if the issuer has no TLS. */
  readonly verificationUrl: string;
  readonly expiresIn: number;
  readonly interval: number;
}

/** The answer to one poll of a device authorization. */
export type DevicePoll =
  | { readonly _tag: "Pending" }
  | { readonly _tag: "SlowDown" }
  | { readonly _tag: "Denied" }
  | { readonly _tag: "Expired" }
  | { readonly _tag: "Authorized"; readonly tokens: IssuedTokens };

/**
 * Implements the OAuth2 protocol with a provider. Stores nothing about users, and no error contains a secret. Each call
 * ends within 20 seconds; a provider that has not answered by then counts as unavailable.
 */
export class AuthorizationServer extends Context.Service<
  AuthorizationServer,
  {
    /** Returns the URL at which a user consents: code flow with PKCE S256. `loginHint` is an address, null for none. */
    readonly authorizationUrl: (
      app: OAuthApp,
      request: ConsentRequest & { readonly loginHint: string | null },
    ) => Effect.Effect<string, ProviderError>;
    /**
     * Exchanges the code of a callback for tokens, once. Checks the `state`, the issuer (RFC 9207) and the nonce; if
     * one of the first two checks fails, sends nothing to the provider. Ignores unknown parameters.
     */
    readonly exchange: (
      app: OAuthApp,
      request: ConsentRequest & { readonly callbackUrl: Redacted.Redacted },
    ) => Effect.Effect<
      IssuedTokens & { readonly identity: ProviderIdentity },
      ProviderError | ConsentDenied | CallbackRejected
    >;
    /** Exchanges a refresh token for new tokens. Never repeats the request by itself. */
    readonly refresh: (app: OAuthApp, refreshToken: Redacted.Redacted) => Effect.Effect<IssuedTokens, ProviderError>;
    /** Returns a token for one mailbox, with the app's own credentials (application mode) or from the operator's token service (hook mode). */
    readonly issue: (app: OAuthApp, account: AccountId) => Effect.Effect<IssuedTokens, ProviderError>;
    readonly startDevice: (app: OAuthApp) => Effect.Effect<DeviceAuthorization, ProviderError>;
    readonly pollDevice: (app: OAuthApp, deviceCode: Redacted.Redacted) => Effect.Effect<DevicePoll, ProviderError>;
  }
>()("@postern/core/oauth/ports/AuthorizationServer") {}
