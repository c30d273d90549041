import { Apps, type OAuthAppInput } from "@postern/core/oauth";
import { Context, Effect, type Result } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import { askAsOperator } from "../operator-audit.ts";
import type { Visit } from "../../../../Visit.ts";

const serverInput = (host: string) => ({ host, port: host.startsWith("imap") ? 993 : 465, security: "tls" as const });
const SERVERS = { imap: serverInput("imap.new.test"), smtp: serverInput("smtp.new.test") };

/** Returns the apps of an operator, as the operator wrote them. */
export const walkedApps = (visit: Visit, cluster: Cluster) => {
  const { random } = cluster;
  const known = new Map<string, OAuthAppInput>();
  const providers = cluster.providers.all.map(({ app, tokens }) => ({
    clientId: app.clientId,
    issuer: app.issuer!,
    tokens,
  }));
  return {
    known,
    providers,
    providerOf: ({ clientId }: OAuthAppInput) => providers.find((one) => one.clientId === clientId),
    draw: (): OAuthAppInput => {
      const present = random.pick(
        [...known.values()].toSorted((one) => (one.mode === "application" ? -1 : 1)).slice(0, 2),
      );
      // An app that is replaced by a similar one goes on to serve some of its accounts.
      if (present !== undefined && random.chance(0.35))
        return { ...present, domains: random.pick([["own.test"], ["else.test"]]) };
      const { clientId, issuer } = random.pick(providers)!;
      const mode = random.pick([undefined, undefined, "delegated", "application"] as const);
      const domains = random.pick([undefined, undefined, ["own.test"], ["sim.test", "else.test"]]);
      const isGoogle = random.chance(0.15);
      return {
        id: random.pick(["app-a", "app-b", "App-c"]),
        ...(isGoogle ? { provider: "google" as const } : { provider: "oidc" as const, issuer }),
        clientId,
        clientSecret: "secret",
        ...(mode !== undefined && { mode }),
        ...(mode === "application" ? { domains: domains ?? ["own.test"] } : domains !== undefined && { domains }),
        ...(random.chance(0.3) && { label: `Label ${random.between(0, 9)}` }),
        ...(random.chance(0.3) && SERVERS),
        ...(random.chance(0.2) && { scopes: ["mail", "openid"] }),
      };
    },
    /** Makes a request of the operator that the audit records; returns its answer, or the tag of its error. */
    use: <A, E extends { readonly _tag: string }>(
      ask: (apps: Apps["Service"]) => Effect.Effect<A, E>,
    ): Effect.Effect<Result.Result<A, E>> =>
      askAsOperator(visit, "apps", (services) => ask(Context.get(services, Apps))),
  };
};
export type WalkedApps = ReturnType<typeof walkedApps>;

/** Returns the tag of an error, or `Answered`. */
export const tagOf = (answer: Result.Result<unknown, { readonly _tag: string }>): string =>
  answer._tag === "Success" ? "Answered" : answer.failure._tag;
