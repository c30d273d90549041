export * from "./Harness.ts";
export * from "./scenarios/retry-ladder.ts";
