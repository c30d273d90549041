export type * from "./session/ClientOptions.ts";
export * from "./EffectClient.ts";
export type * from "./session/SessionTokens.ts";
