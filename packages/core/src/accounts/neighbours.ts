/** What only other domains of the core use of this one, beside its `index.ts`. */

// Use cases and workers
export { AccountEvents } from "./AccountEvents.ts";
export { AccountStanding } from "./AccountStanding.ts";
export { AccountVerification } from "./AccountVerification.ts";
export { ServerCandidates } from "./ServerCandidates.ts";
export { SignInServers } from "./SignInServers.ts";

// Records and rules
export { signingInBy, tagsOf, verified, withoutGrant, withoutToken, withToken } from "./account-state.ts";
export { GrantFault } from "./AccountFault.ts";
export { operatorServers, sameServers, serversOf, serversToStore } from "./operator-servers.ts";
export { reachEntriesOf } from "./reach-entries.ts";
export type { GivenServers, TokenServers } from "./ServerCandidates.ts";
export type { SignInPlace } from "./SignInServers.ts";
export { ServersSchema } from "./stored-servers.ts";
export { isVerified, refusedVerification, type Verification } from "./Verification.ts";
