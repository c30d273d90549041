import { Effect } from "effect";
import type { Invariant } from "../../../Invariant.ts";
import { agentOf, type AgentUser } from "./agent.ts";
import { moveAsAgent } from "./agent-moves.ts";
import { answerThreads } from "./answered-threads.ts";
import { endApprovals } from "./approval-ends.ts";
import { grantAccess } from "./assistant-grants.ts";
import { judgeMessages } from "../judged-messages.ts";

/**
 * An agent sends at once what its policy allows, and asks for anything else. An approval shows what is sent, ends once
 * and is announced. An agent moves nothing into Sent or Drafts. A grant lasts as long as it is used, and ends with its
 * tokens. [S13.1-1] [S13.1-2] [S13.1-3] [S13.1-4] [S13.1-5] [S13.1-6] [S13.1-7] [S13.2-2] [S13.2-3] [S13.2-5] [S13.2-6]
 * [S13.2-7] [S13.2-8] [S13.3-4] [S13.3-5] [S13.3-11] [S13.3-14] [S13.3-15] [S13.3-16]
 */
export const agentTerms: Invariant = {
  name: "agent-terms",
  watch: () => ({
    apart: (visit, cluster) =>
      Effect.gen(function* () {
        const agent = agentOf(visit, cluster, yield* visit.signUp("agent-terms"));
        yield* moveAsAgent(agent);
        yield* visit.pickInTurn([judgeMessages, askPeople, grantAccess])(agent);
      }),
  }),
};

const askPeople = (agent: AgentUser) => Effect.andThen(answerThreads(agent), endApprovals(agent));
