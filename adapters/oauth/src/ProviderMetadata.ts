import { AskFailed } from "./AskFailed.ts";
import { Cache, type Cause, Context, Duration, Effect, Exit, Layer } from "effect";
import * as oauth from "oauth4webapi";
import { type GuardedFetch, NotAnswered } from "./guarded-fetch.ts";
import type { ProviderFacts } from "./provider-facts.ts";

const KEPT_ISSUERS = 256;
const KEPT_FOR = Duration.hours(1);

/** The timeout of one fetch. Several callers may wait for the same fetch. */
const FETCH_TIMEOUT = Duration.seconds(15);

/** A provider's published metadata, and its signing keys after their first use. */
export interface Published {
  readonly server: oauth.AuthorizationServer;
  readonly keys: oauth.JWKSCacheInput;
}

/** The metadata of providers (OpenID Connect Discovery), each fetched once and kept for an hour. */
export class ProviderMetadata extends Context.Service<
  ProviderMetadata,
  {
    readonly of: (facts: ProviderFacts) => Effect.Effect<Published, AskFailed | Cause.TimeoutError>;
  }
>()("@postern/oauth/ProviderMetadata") {
  static readonly layer = (fetch: GuardedFetch): Layer.Layer<ProviderMetadata> =>
    Layer.effect(
      ProviderMetadata,
      Effect.gen(function* () {
        const published = yield* Cache.makeWith(
          (issuer: string) =>
            Effect.timeout(
              Effect.tryPromise({
                try: (signal) => discover(fetch, issuer, signal),
                catch: (error) => new AskFailed({ error }),
              }),
              FETCH_TIMEOUT,
            ),
          { capacity: KEPT_ISSUERS, timeToLive: (exit) => (Exit.isSuccess(exit) ? KEPT_FOR : Duration.zero) },
        );
        return ProviderMetadata.of({
          of: ({ issuer, isIssuer }) =>
            Effect.filterOrFail(
              Cache.get(published, issuer),
              ({ server }) => isIssuer(server.issuer),
              () => new AskFailed({ error: new NotAnswered({ code: "the metadata names another issuer" }) }),
            ),
        });
      }),
    );
}

/** Returns whether this issuer, and with it every URL in its metadata, may be contacted without TLS. */
export const isInsecure = (issuer: string): boolean => issuer.startsWith("http:");

const discover = async (fetch: GuardedFetch, issuer: string, signal: AbortSignal): Promise<Published> => {
  const response = await oauth.discoveryRequest(new URL(issuer), {
    [oauth.customFetch]: fetch,
    [oauth.allowInsecureRequests]: isInsecure(issuer),
    signal,
  });
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  const { issuer: named } = Object(body) as { readonly issuer?: unknown };
  // The caller compares the issuer, because Microsoft's issuer contains a placeholder.
  const expected = typeof named === "string" && URL.canParse(named) ? named : issuer;
  const server = await oauth.processDiscoveryResponse(new URL(expected), response);
  return { server, keys: {} };
};
