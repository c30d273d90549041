export type * from "./ClientOptions.ts";
export * from "./EffectClient.ts";
export type * from "./SessionTokens.ts";
