import { Effect } from "effect";
import type { Invariant } from "../../../../Invariant.ts";
import { walk, worldActs } from "../walk.ts";
import { appActs } from "./app-acts.ts";
import { grantActs } from "./grant-acts.ts";
import { walkedApps } from "./walked-apps.ts";

const STEPS = 40;

/**
 * An operator keeps, replaces and removes OAuth2 apps, while keys and people connect accounts by them: an app opens
 * accounts of its domains alone, and its tokens go to its servers alone. [S8.7-1] [S2.6-3] [S2.6-6] [S2.6-7] [S11.1-1]
 * [S11.1-3] [S11.1-4] [S11.1-7] [S11.1-10] [S11.1-11] [S11.1-12] [S11.2-1] [S11.2-3] [S11.2-7] [S11.2-9] [S11.3-21]
 */
export const appWalk: Invariant = {
  name: "app-walk",
  watch: () => ({
    apart: (visit, cluster) =>
      Effect.gen(function* () {
        const apps = walkedApps(visit, cluster);
        // Sessions end while days pass, and with them the grants of people.
        const world = worldActs(visit, cluster, () => []).filter(({ name }) => name !== "hours pass");
        yield* walk(
          visit,
          cluster,
          [...world, ...appActs(visit, cluster, apps), ...grantActs(visit, cluster, apps)],
          STEPS,
        );
      }),
  }),
};
