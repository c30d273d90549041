import { Layer } from "effect";
import { layer as AccountDirectory } from "./AccountDirectory.ts";
import { layer as HostConnections } from "./HostConnections.ts";

/** The stores of `accounts`. */
export const layer = Layer.merge(AccountDirectory, HostConnections);
