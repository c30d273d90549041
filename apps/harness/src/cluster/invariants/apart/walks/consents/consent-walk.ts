import { OAuthApps } from "@postern/core/oauth";
import { Context, Effect } from "effect";
import type { Invariant } from "../../../../Invariant.ts";
import { walk, worldActs } from "../walk.ts";
import { consentActs } from "./consent-acts.ts";
import { crowdedNetwork } from "./crowded-network.ts";
import { sharedActs } from "./shared-acts.ts";
import { walkedConsent } from "./walked-consent.ts";

const STEPS = 24;

/**
 * Users consent, revoke and consent again, while providers fail and processes end in exchanges: each account is told
 * once why it needs a new consent, and a token goes only to servers that tokens of the app opened, or that the app names
 * or the domain publishes. [S11.2-3] [S11.2-6] [S11.2-7] [S11.2-12] [S11.3-11] [S11.3-13] [S11.3-26]
 * [S11.4-7] [S11.4-9] [S11.4-11] [S11.4-12] [S11.4-15] [S11.4-16]
 */
export const consentWalk: Invariant = {
  name: "consent-walk",
  watch: () => ({
    apart: (visit, cluster) =>
      Effect.gen(function* () {
        // The first provider takes each refresh token once.
        const provider = cluster.providers.all[cluster.random.chance(0.7) ? 0 : 1]!;
        cluster.ask((ports) => Context.get(ports, OAuthApps).keep(provider.app));
        const accounts = [provider.account, "consenting@own.test"].map((email) =>
          walkedConsent(visit, cluster, email, provider),
        );
        cluster.ask((ports) => Context.get(ports, OAuthApps).keep(accounts[1]!.named));
        cluster.mail.addAccount(provider.account, "first");
        const acts = accounts.flatMap((one) =>
          consentActs(
            visit,
            cluster,
            one,
            provider,
            accounts.filter((other) => other !== one),
          ),
        );
        yield* walk(
          visit,
          cluster,
          [
            ...worldActs(visit, cluster, () => []),
            ...acts,
            ...sharedActs(visit, cluster, accounts[0]!),
            crowdedNetwork(visit, cluster, provider.app.id),
          ],
          STEPS,
        );
      }),
  }),
};
