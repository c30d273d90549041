import type { OAuthApp } from "@postern/core/oauth";
import {
  OAuthProviders,
  openIdProvider,
  type OpenIdProvider,
  type ProvidedApp,
  type ProviderKind,
  rawServer,
  SCRIPTED,
} from "@postern/testkit";
import { Effect, Layer, Redacted } from "effect";

/** Returns an app of a provider on the loopback. */
export const appOf = (
  kind: ProviderKind,
  { issuer, client }: OpenIdProvider,
  more: Partial<OAuthApp> = {},
): OAuthApp => ({
  id: "app",
  provider: kind,
  label: null,
  issuer: kind === "microsoft" ? new URL(issuer).origin : issuer,
  tenant: null,
  clientId: client.clientId,
  secret:
    client.clientSecret === undefined
      ? { _tag: "None" }
      : { _tag: "ClientSecret", value: Redacted.make(client.clientSecret) },
  mode: "delegated",
  tokenUrl: null,
  scopes: null,
  servers: null,
  domains: [],
  ...more,
});

/** Returns an app in hook mode. */
export const hookApp = (tokenUrl: string): OAuthApp => ({
  id: "hook",
  provider: "oidc",
  label: null,
  issuer: null,
  tenant: null,
  clientId: "",
  secret: { _tag: "None" },
  mode: "hook",
  tokenUrl,
  scopes: null,
  servers: null,
  domains: [],
});

const answerHook = (request: string): string => {
  const { email } = JSON.parse(request.slice(request.indexOf("\r\n\r\n") + 4)) as { readonly email: string };
  const isKnown = email.endsWith("@example.org");
  const body = JSON.stringify(
    isKnown ? { accessToken: `token of ${email}`, expiresIn: 600 } : { error: "invalid_grant" },
  );
  const head = `HTTP/1.1 ${isKnown ? "200 OK" : "400 Bad Request"}\r\ncontent-type: application/json`;
  return `${head}\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`;
};

/** Providers on the loopback, for the contract. */
export const realProviders: Layer.Layer<OAuthProviders> = Layer.succeed(OAuthProviders, {
  start: Effect.map(openIdProvider(), (provider): ProvidedApp => ({
    app: appOf("oidc", provider),
    conduct: ({ isDown = false, ...behaviour }) =>
      Effect.sync(() => provider.behave({ ...behaviour, ...(isDown ? { answers: { token: SCRIPTED.cut } } : {}) })),
    consent: (url, user) => Effect.sync(() => provider.consent(url, user)),
    decideDevice: (userCode, decision) => Effect.sync(() => provider.decideDevice(userCode, decision)),
    revoke: (user) => Effect.sync(() => provider.revoke(user)),
    userOf: (token) => Effect.sync(() => provider.userOf(token)),
    requests: Effect.sync(() => provider.requests().length),
  })),
  startHook: Effect.map(
    rawServer((socket) => {
      let heard = "";
      socket.on("data", (bytes) => {
        heard += bytes.toString();
        if (heard.includes("}")) socket.end(answerHook(heard));
      });
    }),
    ({ port }) => hookApp(`http://127.0.0.1:${port}/token`),
  ),
});
