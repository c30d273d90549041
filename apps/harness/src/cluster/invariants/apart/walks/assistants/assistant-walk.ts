import { Effect } from "effect";
import type { Invariant } from "../../../../Invariant.ts";
import { agentOf } from "../../agents/agent.ts";
import { walk, worldActs } from "../walk.ts";
import { grantActs } from "./grant-acts.ts";
import type { WalkedGrant } from "./WalkedGrant.ts";

const STEPS = 35;

/**
 * Assistants get, refresh and lose their grants in any order: a grant has the rights that a person chose last, until it
 * is ended, unused or stolen; an invented token changes nothing. Each call has one entry in the audit. [S8.7-7] [S8.7-8]
 * [S8.7-11] [S13.3-4] [S13.3-5] [S13.3-11] [S13.3-14] [S13.3-15] [S13.3-16]
 */
export const assistantWalk: Invariant = {
  name: "assistant-walk",
  watch: () => ({
    apart: (visit, cluster) =>
      Effect.gen(function* () {
        const account = yield* visit.signUp("assistant-walk");
        const all: Array<WalkedGrant> = [];
        const deadlines = () =>
          all.flatMap(({ isEnded, expiresAt, accessUntil }) => (isEnded ? [] : [expiresAt, accessUntil]));
        const world = worldActs(visit, cluster, deadlines);
        const acts = grantActs(visit, cluster, agentOf(visit, cluster, account), all);
        // A person signs in before each consent, because sessions end while time passes.
        const signIn = { name: "sign in", weight: 2, run: visit.signIn(account) };
        yield* walk(visit, cluster, [...world, signIn, ...acts], STEPS);
      }),
  }),
};
