// Use cases and workers
export { Accounts } from "./Accounts.ts";
export { AccountStanding } from "./AccountStanding.ts";
export { Discovery } from "./discovery/Discovery.ts";
export { HostAdmission } from "./HostAdmission.ts";
export { AccountProtocolLog } from "./protocol-log/AccountProtocolLog.ts";

// Ports
export { AccountDirectory, type AccountFilter } from "./ports/AccountDirectory.ts";
export { DiscoverySources, type NamedServers, NO_SERVERS } from "./ports/DiscoverySources.ts";
export { HostConnections, type HostLimit } from "./ports/HostConnections.ts";
export { ProtocolLogs } from "./ports/ProtocolLogs.ts";
export { type ProbeResult, ServerProbe } from "./ports/ServerProbe.ts";
export { UpgradeTasks } from "./ports/UpgradeTasks.ts";

// Errors
export {
  AccountBeingRemoved,
  AccountNeedsReauth,
  AccountNotFound,
  AccountUnverified,
  HostLimited,
  OutsideReach,
  ProtocolLogNotFound,
  ServersFixed,
} from "./errors.ts";

// Records and rules
export { recordFailure, newAccount, setPaused, reasonOf, recordSeen, stateOf } from "./account-state.ts";
export { type Account, AuthKind } from "./Account.ts";
export { AccountFault, faultMessage } from "./AccountFault.ts";
export type { AccountDetails } from "./AccountDetails.ts";
export { AccountSettings } from "./AccountSettings.ts";
export { ConnectionCause, CREDENTIAL_CAUSES } from "./ConnectionCause.ts";
export { providerOfImapHost } from "./discovery/known-provider-of.ts";
export { KNOWN_PROVIDERS } from "./discovery/known-providers.ts";
export type { NamedServer } from "./discovery/NamedServer.ts";
export type { ServerCandidate } from "./discovery/ServerCandidate.ts";
export { PASSWORD, type SignIn } from "./discovery/SignIn.ts";
export type { ConnectionPurpose } from "./HostAdmission.ts";
export { MailServersOfAccounts } from "./MailServersOfAccounts.ts";
export { domainOf, accountAtServer } from "./operator-servers.ts";
export { findExcess, LOG_BOUNDS } from "./protocol-log/protocol-lines.ts";
export { ProtocolRecorder, ProtocolRecorderInProcess, type Recording } from "./protocol-log/ProtocolRecorder.ts";
export { isExplained, refusalCause, takesOnlyTokens, tokenRefusalCause } from "./refusal-cause.ts";
export { storedServers } from "./stored-servers.ts";
export { causeOf, type Check } from "./Verification.ts";
