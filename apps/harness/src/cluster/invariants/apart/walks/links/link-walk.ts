import { OAuthApps } from "@postern/core/oauth";
import { Context, Effect } from "effect";
import type { Invariant } from "../../../../Invariant.ts";
import { walk, worldActs } from "../walk.ts";
import { consentActs } from "./consent-acts.ts";
import { linkActs } from "./link-acts.ts";
import { walkedLinks } from "./walked-links.ts";

const STEPS = 32;

/**
 * Links that keys and the operator make connect one account each, until they or their key end, and only in the reach of their key.
 * They lead only to addresses that are allowed. A consent counts once, in its browser, within 10 minutes and if its callback is
 * right in each part. [S11.3-1] [S11.3-13] [S11.3-14]
 */
export const linkWalk: Invariant = {
  name: "link-walk",
  watch: () => ({
    apart: (visit, cluster) =>
      Effect.gen(function* () {
        const provider = cluster.providers.all[visit.pickInTurn([0, 1])]!;
        const users = [provider.account, "linked@sim.test"];
        for (const user of users) cluster.mail.addAccount(user, "no program knows it");
        cluster.ask((ports) => Context.get(ports, OAuthApps).keep(provider.app));
        const walked = walkedLinks(visit);
        const acts = [
          ...linkActs(visit, cluster, walked, { app: provider.app.id, users }),
          ...consentActs(visit, cluster, walked, provider, users),
          ...worldActs(visit, cluster, walked.deadlines),
        ];
        yield* walk(visit, cluster, acts, STEPS);
      }),
  }),
};
