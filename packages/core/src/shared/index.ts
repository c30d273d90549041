// Ports
export { Digest } from "./ports/Digest.ts";
export { AddressDenied, EgressGuard, HostUnresolved, type CheckedAddress } from "./ports/EgressGuard.ts";
export { Entropy } from "./ports/Entropy.ts";
export { type MessageRef, OpaqueIds } from "./ports/OpaqueIds.ts";
export { Transaction } from "./ports/Transaction.ts";

// Errors
export { InputInvalid } from "./InputInvalid.ts";
export { StoreUnavailable } from "./StoreUnavailable.ts";

// Records and rules
export { AccountId, accountIdOf, hostNameOf } from "./AccountId.ts";
export type { IdScope } from "./IdScopes.ts";
export { canonicalText } from "./canonical-text.ts";
export { inSlices, yieldToOthers } from "./in-slices.ts";
export type { Lease } from "./Lease.ts";
export { fieldFaults, type FieldFault, fieldOf, MAX_FAULTS } from "./field-faults.ts";
export { PathPrefix } from "./PathPrefix.ts";
export type { Precondition } from "./Precondition.ts";
export { RETRY_LADDER, type RetryLadder } from "./retry-ladder.ts";
export type { StoredJson } from "./stored-json.ts";
