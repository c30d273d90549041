import { Effect } from "effect";
import type { Invariant } from "../../../../Invariant.ts";
import { walk, worldActs } from "../walk.ts";
import { sessionActs } from "./session-acts.ts";
import { walkedSessions } from "./walked-sessions.ts";

const STEPS = 45;

/**
 * Sessions of every kind begin, are used, refreshed and ended in any order, while other things need the credential of
 * their account: each session ends when promised, and the credential is kept exactly as long as something needs it.
 * [S3.3-2] [S3.3-3] [S3.3-5] [S3.3-6] [S3.4-1] [S3.4-3] [S3.5-3] [S3.5-13] [S3.7-5] [S3.7-6]
 */
export const sessionWalk: Invariant = {
  name: "session-walk",
  watch: () => ({
    apart: (visit, cluster) =>
      Effect.gen(function* () {
        const users = ["walker-a", "walker-b"].map((name) => walkedSessions(visit, cluster, name));
        const noteAll = Effect.sync(() => users.forEach(({ age }) => age()));
        const [one, other] = [users[0]!, users[1]!];
        yield* walk(
          visit,
          cluster,
          [
            ...worldActs(visit, cluster, () => users.flatMap(({ deadlines }) => deadlines())).map((act) => ({
              ...act,
              run: Effect.andThen(act.run, noteAll),
            })),
            ...sessionActs(visit, cluster, one, () => other),
            ...sessionActs(visit, cluster, other, () => one),
          ],
          STEPS,
        );
      }),
  }),
};
