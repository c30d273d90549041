import { Effect } from "effect";
import type { Invariant } from "../../../../Invariant.ts";
import { managedAccount } from "../../../deadlines/managed-account.ts";
import { walk, worldActs } from "../walk.ts";
import { draftActs } from "./draft-acts.ts";
import { foreignActs } from "./foreign-acts.ts";
import { refusedActs } from "./refused-acts.ts";
import { walkedDrafts } from "./walked-drafts.ts";

/** The acts of a walk. */
const STEPS = 35;

/**
 * Random saves, edits by another program, sendings and cancellations follow the model of a draft: it keeps all its fields, each
 * version is sent once, and a version that changed meanwhile is neither sent nor overwritten. [S12.1-2] [S12.1-4] [S12.1-10]
 * [S12.1-21] [S12.1-23] [S12.1-24]
 */
export const draftWalk: Invariant = {
  name: "draft-walk",
  watch: () => ({
    apart: (visit, cluster) =>
      Effect.gen(function* () {
        const account = yield* managedAccount(visit, cluster, "walked-drafts");
        const stranger = yield* managedAccount(visit, cluster, "no-drafts");
        const walked = walkedDrafts(visit, cluster, account);
        const { acts, deadlines, follow } = draftActs(visit, cluster, walked, stranger);
        const ends = () => [...deadlines(), ...walked.ends()];
        const passing = worldActs(visit, cluster, ends).filter(({ name }) => name !== "hours pass");
        const more = [...refusedActs(visit, cluster, walked), ...foreignActs(visit, cluster, walked)];
        const all = [...acts, ...more, ...passing].map((act) => ({
          ...act,
          run: Effect.andThen(act.run, follow),
        }));
        yield* walk(visit, cluster, all, STEPS);
      }),
  }),
};
