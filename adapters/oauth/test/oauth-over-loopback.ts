import { AuthorizationServer, type ConsentRequest, type OAuthApp } from "@postern/core/oauth";
import type { EgressGuard } from "@postern/core/shared";
import {
  type OpenIdProvider,
  openIdProvider,
  type OpenIdProviderOptions,
  type ProviderKind,
  scriptedGuard,
} from "@postern/testkit";
import { Effect, Layer, Redacted, type Scope } from "effect";
import { layer } from "../src/index.ts";
import type { OAuthOptions } from "../src/index.ts";
import { appOf } from "./real-providers.ts";

export const USER = "user@example.org";

export const REQUEST: ConsentRequest = {
  redirectUri: "https://postern.example/oauth/callback",
  state: "state-1",
  nonce: "nonce-1",
  verifier: Redacted.make("v".repeat(64)),
};

/** Runs a test with the adapter, which may reach the loopback. */
export const overLoopback =
  (options: OAuthOptions = {}, guard: Layer.Layer<EgressGuard> = scriptedGuard()) =>
  <A, E>(test: Effect.Effect<A, E, AuthorizationServer | Scope.Scope>): Effect.Effect<A, E> =>
    Effect.scoped(Effect.provide(test, Layer.provide(layer({ timeout: "2 seconds", ...options }), guard)));

export interface Setting {
  readonly provider: OpenIdProvider;
  readonly app: OAuthApp;
}

/** Starts a provider of a kind, with an app of its client. */
export const settingOf = (
  kind: ProviderKind,
  options: OpenIdProviderOptions = {},
  more: Partial<OAuthApp> = {},
): Effect.Effect<Setting, never, Scope.Scope> =>
  Effect.map(openIdProvider({ kind, ...options }), (provider) => ({ provider, app: appOf(kind, provider, more) }));

/** Has a user consent, and exchanges the code. */
export const grantOf = Effect.fnUntraced(function* ({ provider, app }: Setting, user: string = USER) {
  const { authorizationUrl, exchange } = yield* AuthorizationServer;
  const url = yield* authorizationUrl(app, { ...REQUEST, loginHint: user });
  const callbackUrl = Redacted.make(provider.consent(url, user));
  return { url: new URL(url), tokens: yield* exchange(app, { ...REQUEST, callbackUrl }) };
});
