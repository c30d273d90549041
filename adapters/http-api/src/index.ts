export * from "./framework-problem.ts";
export * from "./Readiness.ts";
export * from "./RequestId.ts";
export * from "./Routes.ts";
