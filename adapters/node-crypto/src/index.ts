export * from "./errors.ts";
export { layer as HmacByNode } from "./webhooks/Hmac.ts";
export type { SealingKey } from "./key-ring.ts";
export * from "./layer.ts";
export * from "./SecretBox.ts";
