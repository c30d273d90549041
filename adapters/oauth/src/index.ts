export { layer } from "./oauth/AuthorizationServer.ts";
export type { OAuthOptions } from "./OAuthOptions.ts";
