export * from "./errors.ts";
export type { SealingKey } from "./key-ring.ts";
export * from "./layer.ts";
export * from "./SecretBox.ts";
