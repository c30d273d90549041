import { type AgentGrant, AgentGrants, AssistantSignIn } from "@postern/core/assistants";
import { Fingerprints, type ServiceKey } from "@postern/core/auth";
import { Context, Effect, Option, type Result } from "effect";
import type { AgentUser } from "./agent.ts";

type Tokens = Effect.Success<ReturnType<AssistantSignIn["Service"]["exchange"]>>;

const VERIFIER = "v".repeat(43);
/** The id of the assistant, and where its codes go. */
export const CLIENT = "https://assistant.sim.test/client";
export const REDIRECT = "https://assistant.sim.test/done";

type Parameters = Readonly<Record<string, string>>;

/** What an assistant and its person do. */
export interface Assistant {
  readonly grants: <A, E>(use: (all: AgentGrants["Service"]) => Effect.Effect<A, E>) => Effect.Effect<A, E>;
  /** A person lets the assistant read, draft and send to a friend; returns the code. */
  readonly consent: Effect.Effect<string, unknown>;
  readonly redeem: (code: string, more?: Parameters) => Effect.Effect<Result.Result<Tokens, unknown>>;
  readonly renew: (refreshToken: string, more?: Parameters) => Effect.Effect<Result.Result<Tokens, unknown>>;
  readonly holder: (accessToken: string) => Effect.Effect<ServiceKey | undefined, unknown>;
  readonly list: Effect.Effect<ReadonlyArray<AgentGrant>, unknown>;
}

/** Returns the sign-in of an assistant, and what it does with its tokens. */
export const assistantOf = ({ visit, cluster, account }: AgentUser): Assistant => {
  const sign = <A, E>(use: (one: AssistantSignIn["Service"]) => Effect.Effect<A, E>) =>
    visit.ask("assistant", (services) => use(Context.get(services, AssistantSignIn)));
  const grants = <A, E>(use: (all: AgentGrants["Service"]) => Effect.Effect<A, E>) =>
    visit.ask("grants", (services) => use(Context.get(services, AgentGrants)));
  const challenge = Context.get(cluster.wiring.outside, Fingerprints).ofToken(VERIFIER);
  const client = { id: CLIENT, name: "Assistant", redirectUris: [REDIRECT], source: "document", createdAt: 0 } as const;
  const asker = { client, host: "assistant.sim.test", redirectUri: REDIRECT, isOnThisMachine: false };
  const exchange = (parameters: Parameters): Effect.Effect<Result.Result<Tokens, unknown>> =>
    Effect.result(sign((one) => one.exchange(parameters)));
  const given = {
    grant_type: "authorization_code",
    client_id: CLIENT,
    redirect_uri: REDIRECT,
    code_verifier: VERIFIER,
  };
  return {
    grants,
    consent: sign((one) =>
      one.approve(account, asker, { challenge, suggested: "draft" }, { level: "draft", sendsTo: ["friend@far.test"] }),
    ),
    redeem: (code: string, more = {}) => exchange({ ...given, code, ...more }),
    renew: (refreshToken: string, more = {}) =>
      exchange({ grant_type: "refresh_token", client_id: CLIENT, refresh_token: refreshToken, ...more }),
    holder: (accessToken: string) =>
      Effect.map(
        grants((all) => all.holderOf(accessToken)),
        Option.getOrUndefined,
      ),
    list: Effect.map(
      grants((all) => all.page(account, {})),
      ({ items }) => items,
    ),
  };
};
