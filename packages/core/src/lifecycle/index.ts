// Use cases and workers
export { AccountChanges } from "./AccountChanges.ts";
export { AccountConnection } from "./AccountConnection.ts";
export { AccountCreation } from "./AccountCreation.ts";
export { AccountExport } from "./AccountExport.ts";
export { AccountRemoval } from "./AccountRemoval.ts";
export { DeviceConnections } from "./DeviceConnections.ts";
export { LiveEvents } from "./LiveEvents.ts";
export { SignIn } from "./SignIn.ts";
export { Unsubscription } from "./Unsubscription.ts";

// Errors

// Records and rules
export { accountPatchOf, newAccountOf } from "./account-request.ts";
export type { ConnectionError } from "./AccountConnection.ts";
export type { LiveItem } from "./LiveItem.ts";
export type { SignInError } from "./SignIn.ts";
