// Use cases and workers
export { AgentGrants } from "./AgentGrants.ts";
export { AssistantClients } from "./AssistantClients.ts";
export { AssistantSignIn } from "./AssistantSignIn.ts";

// Ports
export { AgentGrantRecords } from "./ports/AgentGrantRecords.ts";
export { AssistantClientRecords } from "./ports/AssistantClientRecords.ts";
export { AuthorizationCodes } from "./ports/AuthorizationCodes.ts";
export { ClientDocuments } from "./ports/ClientDocuments.ts";

// Errors
export { ClientDocumentUnavailable } from "./errors.ts";

// Records and rules
export type { AgentGrant } from "./AgentGrant.ts";
export type { AssistantClient } from "./AssistantClient.ts";
export type { AskingAssistant } from "./AssistantSignIn.ts";
export { AssistantSettings } from "./AssistantSettings.ts";
export { type AccessLevel, GRANTABLE_SCOPES, isAccessLevel } from "./authorization-request.ts";
export type { AuthorizationCode } from "./AuthorizationCode.ts";
export { assistantsJson } from "./stored-records.ts";
