export * from "./errors.ts";
export * from "./HmacByNode.ts";
export type { SealingKey } from "./key-ring.ts";
export * from "./layer.ts";
export * from "./SecretBox.ts";
