export * from "./generate-signing-key.ts";
export * from "./layer.ts";
export * from "./SigningJwk.ts";
