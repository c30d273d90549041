import { accountDirectoryContract } from "./account-directory-contract.ts";
import { hostConnectionsContract } from "./host-connections-contract.ts";
import { protocolLogsContract } from "./protocol-logs-contract.ts";
import { upgradeTasksContract } from "./upgrade-tasks-contract.ts";

export * from "./discovery-sources-contract.ts";
export * from "./server-probe-contract.ts";

/** The contracts of the stores of `accounts`, by port. */
export const accountsStores = {
  AccountDirectory: accountDirectoryContract,
  HostConnections: hostConnectionsContract,
  ProtocolLogs: protocolLogsContract,
  UpgradeTasks: upgradeTasksContract,
};
