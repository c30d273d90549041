import type { OAuthApp } from "@postern/core/oauth";
import { ProviderInMemory } from "@postern/memory";
import { OAuthProviders, type ProvidedApp } from "@postern/testkit";
import { Clock, Effect, Layer, Redacted } from "effect";

const APP: OAuthApp = {
  id: "app",
  provider: "oidc",
  label: null,
  issuer: "https://provider.example",
  tenant: null,
  clientId: "postern",
  secret: { _tag: "ClientSecret", value: Redacted.make("secret") },
  mode: "delegated",
  tokenUrl: null,
  scopes: null,
  servers: null,
  domains: [],
};

/** The provider in memory, for the contract. */
export const OAuthProvidersInMemory: Layer.Layer<OAuthProviders, never, ProviderInMemory> = Layer.effect(
  OAuthProviders,
  Effect.map(ProviderInMemory, (provider) => {
    provider.register("postern", "secret");
    const provided: ProvidedApp = {
      app: APP,
      conduct: (conduct) => Effect.sync(() => void (provider.conduct = conduct)),
      consent: (url, user) => Effect.sync(() => provider.consent(url, user)),
      decideDevice: (userCode, decision) => Effect.sync(() => provider.decideDevice(userCode, decision)),
      revoke: (user) => Effect.sync(() => provider.revoke(user)),
      userOf: (token) => Effect.map(Clock.currentTimeMillis, (now) => provider.userOf(token, now)),
      requests: Effect.sync(() => provider.requests),
    };
    return {
      start: Effect.sync(() => {
        provider.conduct = {};
        return provided;
      }),
      startHook: Effect.succeed({ ...APP, mode: "hook", tokenUrl: "https://tokens.example/" } satisfies OAuthApp),
    };
  }),
);
