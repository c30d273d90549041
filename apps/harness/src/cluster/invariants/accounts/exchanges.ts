import { AccountDirectory, stateOf } from "@postern/core/accounts";
import { Grants, MailCredentials } from "@postern/core/oauth";
import { Context, Effect, Option } from "effect";
import type { Cluster } from "../../Cluster.ts";
import type { Invariant } from "../../Invariant.ts";
import type { PresentedToken, SimulatedProvider } from "../../servers/OAuthProviders.ts";
import type { Visit } from "../../Visit.ts";

/** Longer than an access token lives, in milliseconds. */
const DUE = 60_000;
/** How long a provider is silent: longer than a lease lasts without a renewal. In milliseconds. */
const SILENT = 25_000;
/** How long the store is away: shorter than the rest of a lease that was just renewed. In milliseconds. */
const AWAY = 6_000;
/** Longer than another node takes to notice that a lease ended, in milliseconds. */
const NOTICED = 20_000;

/**
 * A refresh token is presented once, by one node, also if its provider is silent for longer than a lease or the store is
 * away when the provider answers: the answer is stored, and the grant stays in force. [S11.4-3] [S11.4-5]
 */
export const exchanges: Invariant = {
  name: "exchanges",
  watch: (cluster) => ({
    alone: (visit) =>
      Effect.gen(function* () {
        const provider = cluster.providers.all.find(({ tokens }) => tokens.conduct.rotation === "strict")!;
        const isSilent = cluster.random.chance(0.5);
        yield* exchanging(visit, cluster, provider, isSilent ? "its provider is silent" : "the store is away", () => {
          provider.silence = isSilent ? SILENT : 0;
          if (!isSilent) cluster.wiring.restartStore();
          cluster.servers.isStoreAway = !isSilent;
          cluster.timeline.after(isSilent ? SILENT : AWAY, () => {
            provider.silence = 0;
            cluster.servers.isStoreAway = false;
          });
        });
      }),
  }),
};

/** Something happens while a provider answers the next exchange. */
const exchanging = (visit: Visit, cluster: Cluster, provider: SimulatedProvider, when: string, happen: () => void) =>
  Effect.gen(function* () {
    const { account } = provider;
    const presented: Array<string> = [];
    const see = ({ account: of, refreshToken }: PresentedToken) => {
      if (of !== account) return;
      if (presented.length === 0) happen();
      presented.push(refreshToken);
    };
    const { observers } = cluster.providers;
    observers.push(see);
    const ask = visit.tagOf("a token", (services) => Context.get(services, MailCredentials).of(account));
    for (const until = visit.now + DUE; presented.length === 0 && visit.now < until;) {
      yield* Effect.forkChild(ask);
      yield* visit.wait(1_000);
    }
    visit.expect(presented.length > 0, "an access token is not replaced before it ends");
    // Requests at other nodes meanwhile.
    for (let waited = 0; waited < SILENT + NOTICED; waited += 5_000) {
      yield* Effect.forkChild(ask);
      yield* visit.wait(5_000);
    }
    observers.splice(observers.indexOf(see), 1);
    visit.same(
      new Set(presented).size,
      presented.length,
      `the number of different refresh tokens, of those presented while ${when}`,
    );
    const [grant, known] = cluster.ask((ports) =>
      Effect.all([Context.get(ports, Grants).find(account), Context.get(ports, AccountDirectory).find(account)]),
    );
    visit.same(Option.getOrUndefined(grant)?.state, "active", `the grant after ${when}`);
    visit.same(Option.getOrUndefined(Option.map(known, stateOf)), "active", `the account after ${when}`);
    visit.same(yield* ask, "Answered", `a request for a token after ${when}`);
  });
