// The table of operations and the calls over it, for the service that a program embeds.
export { ApiProblem } from "./calls/ApiProblem.ts";
export * from "./calls/is-of-services.ts";
export * from "./calls/operation-call.ts";
export type * from "./contract/Operation.ts";
export * from "./contract/operation-table.ts";
