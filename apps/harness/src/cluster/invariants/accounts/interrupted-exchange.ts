import { MailCredentials } from "@postern/core/oauth";
import { Context, Effect } from "effect";
import type { Cluster } from "../../Cluster.ts";
import { dataOf, eventsOf } from "../../events-of.ts";
import type { PresentedToken } from "../../servers/OAuthProviders.ts";
import type { Visit } from "../../Visit.ts";
import { endNode } from "../takeovers/StopPoint.ts";
import { askUntil } from "./ask-until.ts";

/** The time in which tokens are requested after a node ended; longer than the lifetime of an access token. */
const REQUESTS = 80;

/**
 * A node ends in an exchange with a provider that takes its refresh tokens again: another node gets a token. When the
 * provider ends the grant later, this is the reason that the account is told. [S11.4-7] [S11.4-9]
 */
export const interruptExchange = (visit: Visit, cluster: Cluster): Effect.Effect<void> =>
  Effect.gen(function* () {
    const { account, tokens } = cluster.providers.all.find(({ tokens: of }) => of.conduct.rotation !== "strict")!;
    const ask = visit.tagOf("a token", (services) => Context.get(services, MailCredentials).of(account));
    const failures = () => eventsOf(cluster, account, "account.auth_failed");
    const known = failures().length;
    let hasEnded = false;
    let presented = 0;
    const see = ({ account: of, node }: PresentedToken) => {
      if (of !== account) return;
      presented++;
      if (hasEnded) return;
      hasEnded = true;
      endNode(cluster, node);
    };
    const { observers } = cluster.providers;
    observers.push(see);
    yield* askUntil(visit, ask, () => hasEnded);
    for (let n = 0; n < REQUESTS; n++) {
      yield* Effect.forkChild(ask);
      yield* visit.wait(1_000);
    }
    observers.splice(observers.indexOf(see), 1);
    visit.expect(presented > 1, "no node exchanges a refresh token after the node of an exchange ended");
    visit.same(yield* ask, "Answered", "a request for a token after an exchange was repeated");
    visit.same(failures().length, known, "the failures of a grant whose exchange was repeated");
    tokens.revoke(account);
    yield* askUntil(visit, ask, () => failures().length > known);
    const reasons = failures()
      .slice(known)
      .map((event) => (dataOf(event, "reason") as { readonly code: string }).code);
    visit.same(reasons, ["grant_revoked"], "the reasons for a new consent after the user ended the former one");
    yield* visit.wait(10_000);
  });
