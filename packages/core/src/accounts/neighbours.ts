/** Exports for other domains of the core only; `index.ts` has the exports for all packages. */

// Errors
export { AccountChanged, AccountExists, CredentialRequired } from "./errors.ts";

// Records and rules
export {
  followsAllFolders,
  followOf,
  isRefusedSince,
  recordVerification,
  tagsOf,
  withAuthKind,
  withoutGrant,
  withoutToken,
  withToken,
} from "./account-state.ts";
export type { Follow } from "./Account.ts";
export { checkAccount } from "./check-account.ts";
export { checkReach } from "./check-reach.ts";
export { providerOfDomain } from "./discovery/known-provider-of.ts";
export { mailServerOf } from "./mail-server-of.ts";
export { accounts } from "./module.ts";
export { GrantFault } from "./AccountFault.ts";
export { findAccountAtServer, operatorServers, areSameServers, serversOf, serversToStore } from "./operator-servers.ts";
export {
  type GivenServers,
  placeForSignIn,
  serverCandidates,
  serversForPassword,
  serversForStored,
  serversForToken,
  type SignInPlace,
  type TokenServers,
} from "./server-candidates.ts";
export { ServersSchema } from "./stored-servers.ts";
export { isVerified, refusedVerification, type Verification } from "./Verification.ts";
