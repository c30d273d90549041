export * from "./AccountId.ts";
export * from "./due-work.ts";
export * from "./in-slices.ts";
export * from "./Lease.ts";
export * from "./ports/Entropy.ts";
export * from "./ports/OpaqueIds.ts";
export * from "./ports/Transaction.ts";
export * from "./StoreUnavailable.ts";
