export * from "./Harness.ts";
