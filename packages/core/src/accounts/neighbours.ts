/** What only other domains of the core use of this one, beside its `index.ts`. */

// Use cases and workers
export { AccountStanding } from "./AccountStanding.ts";
export { ServerCandidates } from "./ServerCandidates.ts";

// Records and rules
export {
  reachEntriesOf,
  recordVerification,
  tagsOf,
  withAuthKind,
  withoutGrant,
  withoutToken,
  withToken,
} from "./account-state.ts";
export { checkAccount } from "./check-account.ts";
export { checkReach } from "./check-reach.ts";
export { mailServerOf } from "./mail-server-of.ts";
export { GrantFault } from "./AccountFault.ts";
export { findServers, operatorServers, sameServers, serversOf, serversToStore } from "./operator-servers.ts";
export type { GivenServers, SignInPlace, TokenServers } from "./ServerCandidates.ts";
export { ServersSchema } from "./stored-servers.ts";
export { isVerified, refusedVerification, type Verification } from "./Verification.ts";
