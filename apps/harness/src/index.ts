export * from "./Harness.ts";
export * from "./scenarios/retry-ladder.ts";
export type * from "./cluster/Invariant.ts";
export type * from "./cluster/faults/PortCall.ts";
export * from "./cluster/simulate.ts";
export type { OwnStores } from "./cluster/nodes/Wiring.ts";
export type * from "./cluster/WorldPart.ts";
