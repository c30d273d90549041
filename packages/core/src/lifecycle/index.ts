export * from "./AccountChanges.ts";
export * from "./AccountCreation.ts";
export * from "./AccountRemoval.ts";
export * from "./LiveEvents.ts";
export * from "./SignIn.ts";
export * from "./module.ts";
