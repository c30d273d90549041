// Contracts of the objects that a host gives `createPostern` as `ports`, for any test runner.
export { ContractBroken } from "./promises/ContractBroken.ts";
export * from "./promises/mail-transport-contract.ts";
export * from "./promises/uploads-contract.ts";
