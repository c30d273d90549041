import type { Redacted } from "effect";
import { domainOf } from "../accounts/index.ts";
import type { AccountServers } from "../mail/index.ts";
import type { AccountId } from "../shared/index.ts";

/** The providers whose facts are built in, and any other that speaks OpenID Connect. */
export const OAUTH_PROVIDERS = ["google", "microsoft", "oidc"] as const;
export type OAuthProvider = (typeof OAUTH_PROVIDERS)[number];

/**
 * How an app gets access tokens. `delegated`: each user consents, and a refresh token is kept. `application`: the app's
 * own credentials open every mailbox of the organisation. `hook`: a token service of the operator's.
 */
export const OAUTH_MODES = ["delegated", "application", "hook"] as const;
export type OAuthMode = (typeof OAUTH_MODES)[number];

/** How an app proves at the provider that it is itself. `None` is a public client. */
export type AppSecret =
  | { readonly _tag: "None" }
  | { readonly _tag: "ClientSecret"; readonly value: Redacted.Redacted }
  /** A private key in PEM, with its certificate for Microsoft beside it; or the key file (JSON) of a Google service account. */
  | { readonly _tag: "PrivateKey"; readonly value: Redacted.Redacted };

/** A client registered at an OAuth2 provider. */
export interface OAuthApp {
  readonly id: string;
  readonly provider: OAuthProvider;
  /** Its name for users, after "Continue with"; null: that of the provider, or the id. */
  readonly label: string | null;
  /**
   * The issuer of an `oidc` app; for another provider, an address in place of the usual one, such as that of a national
   * cloud.
   */
  readonly issuer: string | null;
  /** The tenant of a `microsoft` app; null: `common`. */
  readonly tenant: string | null;
  /** Empty in hook mode. */
  readonly clientId: string;
  readonly secret: AppSecret;
  readonly mode: OAuthMode;
  /** The operator's token service in hook mode; otherwise null. */
  readonly tokenUrl: string | null;
  /** Null: those built in for the provider. */
  readonly scopes: ReadonlyArray<string> | null;
  /** The mail servers of its accounts; null: those of the provider, or of the deployment. */
  readonly servers: AccountServers | null;
  /** The domains of its accounts, in A-label form; empty: any whose users consent. */
  readonly domains: ReadonlyArray<string>;
}

/** Names the authorization server of an app: its issuer, otherwise the provider's built-in one. */
export const issuerOf = ({ provider, issuer }: OAuthApp): string => issuer ?? provider;

/** Whether an app may open an account: without its user's consent only one of its domains (spec 11.1). */
export const mayOpen = ({ mode, domains }: OAuthApp, account: AccountId): boolean =>
  domains.length === 0 ? mode === "delegated" : domains.includes(domainOf(account));
