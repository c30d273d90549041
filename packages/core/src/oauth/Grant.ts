import type { Redacted } from "effect";
import type { GrantFault } from "../accounts/neighbours.ts";
import type { AccountId, Lease } from "../shared/index.ts";
import type { ProviderIdentity } from "./ports/AuthorizationServer.ts";

/** The states of a grant (spec 11.4). */
export const GRANT_STATES = [
  "active",
  "refreshing",
  "needs_reauth",
  "app_misconfigured",
  "provider_unavailable",
] as const;
export type GrantState = (typeof GRANT_STATES)[number];

/** An access token; times in epoch milliseconds. */
export interface AccessToken {
  readonly token: Redacted.Redacted;
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** The right to open one mailbox with access tokens, and the latest token (spec 11.1). Times are epoch milliseconds. */
export interface Grant {
  readonly account: AccountId;
  /** The user name for the mail server: the address as the user typed it. */
  readonly username: string;
  /** The id of the app. */
  readonly app: string;
  /** The refresh token; null in application and hook mode, and if another account's grant opens the mailbox. */
  readonly refreshToken: Redacted.Redacted | null;
  /** The authorization server that issued the refresh token (`issuerOf`); null in records of earlier releases. */
  readonly issuedBy: string | null;
  /** The user who consented; null without a consent. */
  readonly identity: Pick<ProviderIdentity, "issuer" | "subject"> | null;
  /** The account whose tokens open this shared mailbox. */
  readonly delegateOf: AccountId | null;
  readonly state: GrantState;
  readonly accessToken: AccessToken | null;
  /** The lease of the process that requests a token from the provider. */
  readonly lease: Lease | null;
  /** Whether a process ended, or lost its lease, while requesting a token. The refresh token may then be used up. */
  readonly interrupted: boolean;
  /** When a replacement of a token that the mail server refused was last requested. */
  readonly renewedAt: number | null;
  /** The reason why a new consent is needed. */
  readonly fault: GrantFault | null;
  /** The number of consecutive failures. */
  readonly failures: number;
  /** The earliest time of the next request to the provider after a failure. */
  readonly retryAt: number | null;
}
