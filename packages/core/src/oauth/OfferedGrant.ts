import type { Redacted } from "effect";
import type { AccountId } from "../shared/index.ts";
import type { OAuthApp } from "./OAuthApp.ts";
import type { IssuedTokens } from "./ports/AuthorizationServer.ts";

/** A grant before the mail server has accepted its token for an address. */
export interface OfferedGrant {
  readonly app: OAuthApp;
  /** The access token to verify. */
  readonly token: Redacted.Redacted;
  /** The tokens that the provider issued; null if the grant uses the tokens of another account. */
  readonly issued: IssuedTokens | null;
  /** When the token was requested, in epoch milliseconds. */
  readonly askedAt: number;
  /** The account whose tokens open this shared mailbox. */
  readonly delegateOf: AccountId | null;
}
