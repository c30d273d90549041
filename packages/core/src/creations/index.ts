export * from "./CreationRecord.ts";
export * from "./Creations.ts";
export * from "./errors.ts";
export * from "./key-state.ts";
export * from "./limits.ts";
export * from "./ports/CreationRecords.ts";
export * from "./module.ts";
