export * from "./authorization-server-contract.ts";
