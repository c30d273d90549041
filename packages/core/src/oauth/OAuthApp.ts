import type { Redacted } from "effect";
import { domainOf } from "../accounts/index.ts";
import type { AccountServers } from "../mail/index.ts";
import type { AccountId } from "../shared/index.ts";

/** The providers whose settings are built in, and `oidc` for any other provider with OpenID Connect. */
export const OAUTH_PROVIDERS = ["google", "microsoft", "oidc"] as const;
export type OAuthProvider = (typeof OAUTH_PROVIDERS)[number];

/**
 * How an app gets access tokens. `delegated`: each user consents, and a refresh token is stored. `application`: the
 * app's own credentials open every mailbox of the organisation. `hook`: a token service of the operator issues the
 * tokens.
 */
export const OAUTH_MODES = ["delegated", "application", "hook"] as const;
export type OAuthMode = (typeof OAUTH_MODES)[number];

/** The app's client authentication at the provider. `None` is a public client. */
export type AppSecret =
  | { readonly _tag: "None" }
  | { readonly _tag: "ClientSecret"; readonly value: Redacted.Redacted }
  /** A private key in PEM, for Microsoft with its certificate; or the key file (JSON) of a Google service account. */
  | { readonly _tag: "PrivateKey"; readonly value: Redacted.Redacted };

/** A client registered at an OAuth2 provider. */
export interface OAuthApp {
  readonly id: string;
  readonly provider: OAuthProvider;
  /** The name that users see after "Continue with"; null for the name of the provider, or else the id. */
  readonly label: string | null;
  /** The issuer of an `oidc` app. For a built-in provider, a URL that replaces the usual one, such as that of a national cloud. */
  readonly issuer: string | null;
  /** The tenant of a `microsoft` app; null for `common`. */
  readonly tenant: string | null;
  /** The client id; empty in hook mode. */
  readonly clientId: string;
  readonly secret: AppSecret;
  readonly mode: OAuthMode;
  /** The operator's token service in hook mode; otherwise null. */
  readonly tokenUrl: string | null;
  /** The scopes to request; null for the scopes built in for the provider. */
  readonly scopes: ReadonlyArray<string> | null;
  /** The mail servers of the app's accounts; null for the servers of the provider or of the deployment. */
  readonly servers: AccountServers | null;
  /** The domains of the app's accounts, in A-label form; if empty, any domain whose users consent. */
  readonly domains: ReadonlyArray<string>;
}

/** Returns the name of an app's authorization server: the issuer, or else the built-in name of the provider. */
export const issuerOf = ({ provider, issuer }: OAuthApp): string => issuer ?? provider;

/** Returns whether an app may open an account. Without the user's consent, the account must be in one of the app's domains (spec 11.1). */
export const mayOpen = ({ mode, domains }: OAuthApp, account: AccountId): boolean =>
  domains.length === 0 ? mode === "delegated" : domains.includes(domainOf(account));
