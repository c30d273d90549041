import { Effect } from "effect";
import type { Invariant } from "../../../../Invariant.ts";
import { managedAccount } from "../../../deadlines/managed-account.ts";
import { walk, worldActs } from "../walk.ts";
import { answerActs } from "./answer-acts.ts";
import { walkedOriginals } from "./walked-originals.ts";

/** The acts of a walk. */
const STEPS = 25;

/**
 * Answers and forwards of messages of any kind, at once and as drafts, with any of the fields that they may omit, take exactly
 * what they omit from the original. [S6.2-8] [S6.2-9] [S6.2-10] [S12.4-1] [S12.4-2] [S12.4-3] [S12.4-4] [S12.4-5]
 */
export const answerWalk: Invariant = {
  name: "answer-walk",
  watch: () => ({
    apart: (visit, cluster) =>
      Effect.gen(function* () {
        const originals = walkedOriginals(visit, cluster, yield* managedAccount(visit, cluster, "answering-walk"));
        const stranger = walkedOriginals(visit, cluster, yield* managedAccount(visit, cluster, "not-answering"));
        yield* stranger.arrive;
        yield* originals.arrive;
        const world = worldActs(visit, cluster, () => []);
        yield* walk(visit, cluster, [...answerActs(visit, cluster, originals, stranger), ...world], STEPS);
      }),
  }),
};
