/** The dependencies that a node can be cut off from. */
export type FaultTarget = "store" | "mail" | "smtp" | "receiver" | "provider";

export const FAULT_TARGETS: ReadonlyArray<FaultTarget> = ["store", "mail", "smtp", "receiver", "provider"];
