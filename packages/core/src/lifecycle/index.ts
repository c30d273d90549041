export * from "./AccountChanges.ts";
export * from "./AccountConnection.ts";
export * from "./AccountCreation.ts";
export * from "./DeviceConnections.ts";
export * from "./AccountRemoval.ts";
export * from "./LiveEvents.ts";
export * from "./SignIn.ts";
export * from "./module.ts";
