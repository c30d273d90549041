export * from "./errors.ts";
export * from "./layer.ts";
export * from "./SecretBox.ts";
