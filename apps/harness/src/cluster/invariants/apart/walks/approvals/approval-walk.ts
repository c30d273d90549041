import { Effect } from "effect";
import type { Invariant } from "../../../../Invariant.ts";
import { walk, worldActs } from "../walk.ts";
import { approvalActs } from "./approval-acts.ts";
import { walkedApprovals } from "./walked-approvals.ts";

const STEPS = 40;

/**
 * Several agents ask for the sending of the same drafts, which the owner and other mail programs change: each approval
 * is the agent's that asked, shows what is sent, ends once and for the promised reason, and is told. [S13.1-2] [S13.2-2]
 * [S13.2-3] [S13.2-4] [S13.2-5] [S13.2-6] [S13.2-7] [S13.2-8]
 */
export const approvalWalk: Invariant = {
  name: "approval-walk",
  watch: () => ({
    apart: (visit, cluster) =>
      Effect.gen(function* () {
        const account = yield* visit.signUp("approval-walk");
        const all = walkedApprovals(visit, cluster, account);
        const agents = new Set([yield* all.newKey, yield* all.newKey]);
        const world = worldActs(visit, cluster, all.deadlines).map((act) => ({
          ...act,
          // Sessions may end while time passes, and with the last one the account's credential.
          run: Effect.andThen(act.run, Effect.andThen(visit.signIn(account), all.compare)),
        }));
        yield* walk(visit, cluster, [...world, ...approvalActs(visit, cluster, all, agents)], STEPS);
      }),
  }),
};
