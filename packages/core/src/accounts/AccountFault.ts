import { Schema } from "effect";
import { causeMessage, ConnectionCause } from "./ConnectionCause.ts";

/** Why an OAuth2 grant ended. The account works again only after a new consent. */
export const GrantFault = Schema.Literals([
  "grant_revoked",
  "password_changed",
  "grant_expired",
  "mfa_required",
  "consent_required",
  "token_lost",
  "token_refused",
]);
export type GrantFault = typeof GrantFault.Type;

/** Why the provider issues no access token although the account's grant is valid. */
export const TokenFault = Schema.Literals(["app_misconfigured", "provider_unavailable"]);
export type TokenFault = typeof TokenFault.Type;

/** A refusal that may be a temporary fault of the mail server. A second refusal a minute later counts as a refused credential. */
export const SignInDoubt = Schema.Literal("sign_in_unclear");
export type SignInDoubt = typeof SignInDoubt.Type;

/** Why an account is not active: its mail server, its grant or the OAuth2 provider (spec 10.3). */
export const AccountFault = Schema.Literals([
  ...ConnectionCause.literals,
  ...GrantFault.literals,
  ...TokenFault.literals,
  SignInDoubt.literal,
]);
export type AccountFault = typeof AccountFault.Type;

const MESSAGES: { readonly [Fault in GrantFault | TokenFault | SignInDoubt]: string } = {
  grant_revoked: "The provider withdrew the consent. Connect the account again.",
  password_changed: "The password was changed, which ended the consent. Connect the account again.",
  grant_expired:
    "The consent expired, because it was not used for a long time or by a rule. Connect the account again.",
  mfa_required: "The provider asks for another proof of identity. Connect the account again.",
  consent_required: "The consent is missing or no longer covers the mailbox. Connect the account again.",
  token_lost:
    "A refresh of the access token was interrupted, and the provider accepts no repeat. Connect the account again.",
  token_refused:
    "The mail server refuses new access tokens too. Check that IMAP is enabled, and connect the account again.",
  app_misconfigured: "The provider refuses the OAuth2 app of this account. Its operator has to correct the app.",
  provider_unavailable: "The OAuth2 provider issues no access token now. It is asked again by itself.",
  sign_in_unclear:
    "The mail server refused the sign-in without saying why. It is tried again by itself; a refusal a minute later counts as a refused password or token.",
};

const isConnectionCause = Schema.is(ConnectionCause);

/** Returns one sentence about a fault and what to do. */
export const faultMessage = (fault: AccountFault): string =>
  isConnectionCause(fault) ? causeMessage(fault) : MESSAGES[fault];
