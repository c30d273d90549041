import { Layer } from "effect";
import { layer as AgentGrantRecords } from "./AgentGrantRecords.ts";
import { layer as AssistantClientRecords } from "./AssistantClientRecords.ts";
import { layer as AuthorizationCodes } from "./AuthorizationCodes.ts";

/** The stores of `assistants`. */
export const layer = Layer.mergeAll(AgentGrantRecords, AssistantClientRecords, AuthorizationCodes);
