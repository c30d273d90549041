// Use cases and workers
export { AccountSessions } from "./AccountSessions.ts";
export { Authentication } from "./Authentication.ts";
export { CredentialRelease } from "./CredentialRelease.ts";
export { KeyAuthentication } from "./KeyAuthentication.ts";
export { Keys } from "./Keys.ts";
export { LoginThrottle } from "./LoginThrottle.ts";
export { SessionTokens } from "./SessionTokens.ts";

// Ports
export { AccountErasures } from "./ports/AccountErasures.ts";
export { CredentialVault, type FoundCredential, type KeptCredential } from "./ports/CredentialVault.ts";
export { Fingerprints } from "./ports/Fingerprints.ts";
export { LoginAttempts } from "./ports/LoginAttempts.ts";
export { MailLogin } from "./ports/MailLogin.ts";
export { ServiceKeys } from "./ports/ServiceKeys.ts";
export { Sessions } from "./ports/Sessions.ts";
export { type TokenClaims, Tokens, type TokenUse } from "./ports/Tokens.ts";
export { WrongKeys } from "./ports/WrongKeys.ts";

// Errors
export {
  AddressMalformed,
  ApplicationNotFound,
  KeyChanged,
  KeyNetworkRefused,
  KeyNotFound,
  KeyRejected,
  LoginRefused,
  PasswordRefused,
  RefreshReused,
  SessionNotFound,
  TokenRejected,
  TooManyLoginFailures,
  TooManyWrongKeys,
} from "./errors.ts";

// Records and rules
export { AdminKeys } from "./AdminKeys.ts";
export { PasswordRefusal } from "./errors.ts";
export { keyRequestOf } from "./key-request.ts";
export { keyGrantsJson } from "./key-grants-json.ts";
export { entriesReaching, EVERY_ACCOUNT, isReachPattern, type KeyReach, partsOfReach, reaches } from "./key-reach.ts";
export { ADMIN_KEY_CHARACTERS, type KeyClient, type KeyHolder } from "./KeyAuthentication.ts";
export {
  judgeLogin,
  type LoginAttempt,
  type LoginHistory,
  type LoginVerdict,
  MAX_WINDOW,
  type RecordedAttempt,
} from "./login-throttle.ts";
export { type MailCredential, type PasswordCredential, secretOf, type TokenCredential } from "./mail-credential.ts";
export { auth } from "./module.ts";
export { isSameHash, isServiceKeyText } from "./service-key.ts";
export type { ServiceKey } from "./ServiceKey.ts";
export { COOKIE_LIFETIME } from "./session-state.ts";
export type { Session, SessionClient } from "./Session.ts";
export type { TokenPair } from "./TokenPair.ts";
export { judgeWrongKey, type WrongKeyVerdict } from "./wrong-keys.ts";
