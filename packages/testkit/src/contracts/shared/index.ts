import { transactionContract } from "./transaction-contract.ts";

export * from "./digest-contract.ts";
export * from "./egress-guard-contract.ts";
export * from "./entropy-contract.ts";
export * from "./opaque-ids-contract.ts";

/** The contracts of the stores of `shared`, by port. */
export const sharedStores = {
  Transaction: transactionContract,
};
