export * from "./mail-servers-contract.ts";
export * from "./over-quota-contract.ts";
export * from "./read-only-contract.ts";
