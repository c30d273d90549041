import { Effect, Layer } from "effect";
import type { AccountData } from "../shared/neighbours.ts";
import { AgentGrants } from "./AgentGrants.ts";
import { AssistantClients } from "./AssistantClients.ts";
import { AssistantSignIn } from "./AssistantSignIn.ts";
import { AgentGrantRecords } from "./ports/AgentGrantRecords.ts";
import { AuthorizationCodes } from "./ports/AuthorizationCodes.ts";

/** The domain of assistants: their clients, their sign-in and their grants. */
export const assistants = {
  layer: AssistantSignIn.layer.pipe(Layer.provideMerge(Layer.merge(AgentGrants.layer, AssistantClients.layer))),
  data: Effect.map(
    Effect.all([AgentGrantRecords, AuthorizationCodes]),
    ([grants, codes]) =>
      ({
        name: "assistants",
        // The exchange of a code, which makes a grant, locks the code.
        erase: (account) => Effect.andThen(codes.removeAll(account), grants.removeAll(account)),
        needsCredential: grants.hasLive,
      }) satisfies AccountData,
  ),
  sweeps: Effect.map(Effect.all([AgentGrants, AssistantClients, AssistantSignIn]), (all) =>
    all.map(({ sweep }) => sweep),
  ),
};
