import { Layer } from "effect";
import { layer as AccountDirectory } from "./AccountDirectory.ts";
import { layer as HostConnections } from "./HostConnections.ts";
import { layer as ProtocolLogs } from "./ProtocolLogs.ts";
import { layer as UpgradeTasks } from "./UpgradeTasks.ts";

/** The stores of `accounts`. */
export const layer = Layer.mergeAll(AccountDirectory, HostConnections, ProtocolLogs, UpgradeTasks);
