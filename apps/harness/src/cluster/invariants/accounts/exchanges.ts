import { AccountDirectory, stateOf } from "@postern/core/accounts";
import { Grants, MailCredentials } from "@postern/core/oauth";
import { Context, Effect, Option } from "effect";
import type { Cluster } from "../../Cluster.ts";
import { dataOf, eventsOf } from "../../events-of.ts";
import type { Invariant } from "../../Invariant.ts";
import type { PresentedToken, SimulatedProvider } from "../../servers/OAuthProviders.ts";
import type { Visit } from "../../Visit.ts";
import { endNode } from "../takeovers/StopPoint.ts";
import { askUntil, DUE } from "./ask-until.ts";
import { interruptExchange } from "./interrupted-exchange.ts";

/** The silence of a provider in milliseconds: longer than an unrenewed lease. */
const SILENT = 25_000;
/** The outage of the store in milliseconds: shorter than the rest of a lease that was just renewed. */
const AWAY = 6_000;
/** A time longer than another node needs to notice the end of a lease, in milliseconds. */
const NOTICED = 20_000;

/**
 * One node presents a refresh token, once, even if its provider is silent for longer than a lease or the store is
 * unavailable when the provider answers: the answer is stored, and the grant stays in force. If the node ends before it
 * stores the answer, the token is lost and the account needs a new consent. [S11.4-3] [S11.4-5] [S11.4-7]
 */
export const exchanges: Invariant = {
  name: "exchanges",
  watch: (cluster) => ({
    alone: (visit) =>
      Effect.gen(function* () {
        const provider = cluster.providers.all.find(({ tokens }) => tokens.conduct.rotation === "strict")!;
        const what = visit.pickInTurn([
          "its provider is silent",
          "the store is away",
          "the node ends",
          "it is repeated",
        ]);
        if (what === "it is repeated") return yield* interruptExchange(visit, cluster);
        if (what === "the node ends") return yield* loseToken(visit, cluster, provider);
        const isSilent = what === "its provider is silent";
        yield* exchangeDuring(visit, cluster, provider, what, () => {
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

/** Runs an event while a provider answers the next exchange. */
const exchangeDuring = (
  visit: Visit,
  cluster: Cluster,
  provider: SimulatedProvider,
  when: string,
  happen: () => void,
) =>
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
    yield* askUntil(visit, ask, () => presented.length > 0);
    // Other nodes serve requests in the meantime.
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

/** The node of the next exchange ends after the provider replaced the refresh token. */
const loseToken = (visit: Visit, cluster: Cluster, { account }: SimulatedProvider) =>
  Effect.gen(function* () {
    const ask = visit.tagOf("a token", (services) => Context.get(services, MailCredentials).of(account));
    const failures = () => eventsOf(cluster, account, "account.auth_failed");
    const known = failures().length;
    let hasEnded = false;
    const see = ({ account: of, node }: PresentedToken) => {
      if (hasEnded || of !== account) return;
      hasEnded = true;
      endNode(cluster, node);
    };
    cluster.providers.observers.push(see);
    yield* askUntil(visit, ask, () => hasEnded);
    yield* askUntil(visit, ask, () => failures().length > known);
    const reasons = failures()
      .slice(known)
      .map((event) => (dataOf(event, "reason") as { readonly code: string }).code);
    visit.same(reasons, ["token_lost"], "the reasons for a new consent after a node ended in an exchange");
    const state = () =>
      Option.getOrUndefined(
        Option.map(
          cluster.ask((ports) => Context.get(ports, AccountDirectory).find(account)),
          stateOf,
        ),
      );
    yield* visit.within(DUE, "an account does not recover by a new consent", () => state() === "active");
  });
