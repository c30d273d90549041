export * from "./errors.ts";
export * from "./MailCredentials.ts";
export type * from "./OAuthApp.ts";
export * from "./ports/AuthorizationServer.ts";
export * from "./provider-errors.ts";
