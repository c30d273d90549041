import type { OAuthApp } from "@postern/core/oauth";
import { type Cause, Effect } from "effect";
import * as oauth from "oauth4webapi";
import { AskFailed } from "./AskFailed.ts";
import { clientAuthentication } from "./client-authentication.ts";
import type { GuardedFetch } from "./guarded-fetch.ts";
import { isInsecure, type ProviderMetadata, type Published } from "./ProviderMetadata.ts";
import { factsOf, type ProviderFacts } from "./provider-facts.ts";

/** The tolerated difference to a provider's clock, in seconds. */
const CLOCK_TOLERANCE = 60;

/** A provider, prepared for one operation of one app. */
export interface Provider extends Published {
  readonly facts: ProviderFacts;
  readonly scope: string;
  readonly client: oauth.Client;
  readonly authentication: oauth.ClientAuth;
  /** Options for each request of the library. */
  readonly http: {
    readonly [oauth.customFetch]: GuardedFetch;
    readonly [oauth.allowInsecureRequests]: boolean;
    readonly signal: AbortSignal;
  };
}

/** Runs an operation at the provider of an app, for at most `timeout` milliseconds. */
export const askProvider = <A>(
  fetch: GuardedFetch,
  metadata: ProviderMetadata["Service"],
  timeout: number,
  app: OAuthApp,
  ask: (provider: Provider) => Promise<A>,
): Effect.Effect<A, AskFailed | Cause.TimeoutError> => {
  const facts = factsOf(app);
  return metadata.of(facts).pipe(
    Effect.flatMap((published) =>
      Effect.tryPromise({
        try: async (signal) =>
          ask({
            ...published,
            facts,
            scope: (app.scopes ?? facts.scopes).join(" "),
            client: { client_id: app.clientId, [oauth.clockTolerance]: CLOCK_TOLERANCE },
            authentication: clientAuthentication(app, facts, published.server),
            http: {
              [oauth.customFetch]: fetch,
              [oauth.allowInsecureRequests]: isInsecure(facts.issuer),
              signal,
            },
          }),
        catch: (error) => new AskFailed({ error }),
      }),
    ),
    Effect.timeout(timeout),
  );
};
