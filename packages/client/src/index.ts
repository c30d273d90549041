export * from "./PosternClient.ts";
export * from "./SessionTokens.ts";
export * from "./webhooks.ts";
