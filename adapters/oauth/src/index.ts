export { layer } from "./oauth/AuthorizationServer.ts";
export type { OAuthOptions } from "./OAuthOptions.ts";
export { layer as clientDocuments } from "./assistants/ClientDocuments.ts";
