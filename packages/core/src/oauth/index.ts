// Use cases and workers
export { AccessTokens } from "./AccessTokens.ts";
export { Apps } from "./Apps.ts";
export { ConnectLinks } from "./ConnectLinks.ts";
export { Consents } from "./Consents.ts";
export { CredentialRefusals } from "./CredentialRefusals.ts";
export { MailCredentials } from "./MailCredentials.ts";

// Ports
export {
  AuthorizationServer,
  type ConsentRequest,
  type DeviceAuthorization,
  type DevicePoll,
  type IssuedTokens,
  MAX_LIFETIME_SECONDS,
  type ProviderIdentity,
} from "./ports/AuthorizationServer.ts";
export { ConnectAttempts } from "./ports/ConnectAttempts.ts";
export { Grants } from "./ports/Grants.ts";
export { OAuthApps } from "./ports/OAuthApps.ts";

// Errors
export {
  AppReadOnly,
  AppMisconfigured,
  AppNotFound,
  CallbackRejected,
  ConsentDenied,
  ConsentExpired,
  GrantInvalid,
  GrantRefused,
  LinkExpired,
  OtherIdentity,
  ProviderUnavailable,
  TooManyConsents,
} from "./errors.ts";

// Records and rules
export { appOf, OAuthAppInput } from "./app-input.ts";
export type { ListedApp } from "./Apps.ts";
export { type ConnectAttempt, type ConnectLink, type Consent, linkKeyOf } from "./ConnectAttempt.ts";
export type { ProviderError } from "./errors.ts";
export type { Grant } from "./Grant.ts";
export type { CurrentCredential } from "./MailCredentials.ts";
export { oauth } from "./module.ts";
export type { OAuthApp } from "./OAuthApp.ts";
export { OAuthSettings } from "./OAuthSettings.ts";
export { providerFault } from "./provider-errors.ts";
export { labelOf } from "./sign-in-apps.ts";
export { oauthJson } from "./stored-records.ts";
export { tokenServersOf } from "./token-servers.ts";
