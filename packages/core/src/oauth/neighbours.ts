/** Exports for other domains of the core only; `index.ts` has the exports for all packages. */

// Use cases and workers
export { CredentialRefusals } from "./CredentialRefusals.ts";

// Errors
export { DeviceNotFound } from "./errors.ts";

// Records and rules
export { checkConnection, type Connector, connectRequestOf, type WrittenConnection } from "./connect-request.ts";
export type { ConnectRequest, DeviceConsent } from "./ConnectAttempt.ts";
export { NO_SERVERS, OTHER_DOMAIN } from "./errors.ts";
export { isSameUser, newGrant } from "./grant-state.ts";
export { isKeyLive } from "./is-key-live.ts";
export { mayOpen } from "./OAuthApp.ts";
export type { OfferedGrant } from "./OfferedGrant.ts";
