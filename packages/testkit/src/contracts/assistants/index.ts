import { agentGrantRecordsContract } from "./agent-grant-records-contract.ts";
import { assistantClientRecordsContract } from "./assistant-client-records-contract.ts";
import { authorizationCodesContract } from "./authorization-codes-contract.ts";

export * from "./client-documents-contract.ts";

/** The contracts of the stores of `assistants`, by port. */
export const assistantsStores = {
  AgentGrantRecords: agentGrantRecordsContract,
  AssistantClientRecords: assistantClientRecordsContract,
  AuthorizationCodes: authorizationCodesContract,
};
