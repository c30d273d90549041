// Use cases and workers
export { AccountSessions } from "./AccountSessions.ts";
export { Authentication } from "./Authentication.ts";
export { CredentialRelease } from "./CredentialRelease.ts";
export { KeyAuthentication } from "./KeyAuthentication.ts";
export { Keys } from "./Keys.ts";
export { SessionTokens } from "./SessionTokens.ts";

// Ports
export { Applications } from "./ports/Applications.ts";
export { AccountErasures } from "./ports/AccountErasures.ts";
export { CredentialVault, type FoundCredential, type KeptCredential } from "./ports/CredentialVault.ts";
export { Fingerprints } from "./ports/Fingerprints.ts";
export { type LoginAttempt, LoginAttempts, type LoginHistory, type LoginVerdict } from "./ports/LoginAttempts.ts";
export { MailLogin } from "./ports/MailLogin.ts";
export { ServiceKeys } from "./ports/ServiceKeys.ts";
export { Sessions } from "./ports/Sessions.ts";
export { type TokenClaims, Tokens, type TokenUse } from "./ports/Tokens.ts";
export { WrongKeys } from "./ports/WrongKeys.ts";

// Errors
export {
  AddressMalformed,
  AgentNotAllowed,
  ApplicationSuspended,
  KeyRejected,
  LoginRefused,
  PasswordRefused,
  RefreshReused,
  TokenRejected,
  TooManyLoginFailures,
  TooManyWrongKeys,
} from "./errors.ts";

// Records and rules
export { ActingAgent, type Agent, agentOf, policyOf } from "./acting-agent.ts";
export type { Application } from "./Application.ts";
export { AdminKeys } from "./AdminKeys.ts";
export { PasswordRefusal } from "./errors.ts";
export { keyChangesOf, keyRequestOf } from "./key-request.ts";
export { keyGrantsJson } from "./key-grants-json.ts";
export {
  MIN_ADMIN_KEY_CHARS,
  includesScope,
  isSameHash,
  isServiceKeyText,
  type KeyClient,
  type KeyHolder,
} from "./KeyAuthentication.ts";
export { entriesReaching, EVERY_ACCOUNT, isReachPattern, type KeyReach, partsOfReach, reaches } from "./key-reach.ts";
export { judgeLogin, MAX_FAILURE_WINDOW } from "./LoginThrottle.ts";
export { type MailCredential, type PasswordCredential, secretOf, type TokenCredential } from "./mail-credential.ts";
export type { ServiceKey } from "./ServiceKey.ts";
export { COOKIE_LIFETIME } from "./session-state.ts";
export type { Session, SessionClient } from "./Session.ts";
export type { TokenPair } from "./TokenPair.ts";
export { judgeWrongKey, type WrongKeyVerdict } from "./wrong-keys.ts";
