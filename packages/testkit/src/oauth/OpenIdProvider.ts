import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Effect, type Scope } from "effect";
import type { ProviderBehaviour, ProviderEndpoint, ProviderKind, ScriptedAnswer } from "./provider-options.ts";
import { ProviderState, type TokenRequest } from "./ProviderState.ts";
import { answerTokenRequest, type RegisteredClient } from "./token-endpoint.ts";

export interface OpenIdProviderOptions {
  readonly kind?: ProviderKind;
  readonly client?: RegisteredClient;
}

/** A provider of tokens with one client (OpenID Connect), for tests. Its sign-in page consents at once. */
export interface OpenIdProvider {
  /** The issuer; for `microsoft` the issuer of `common`. */
  readonly issuer: string;
  readonly client: RegisteredClient;
  readonly behave: (behaviour: ProviderBehaviour) => void;
  /** Sets the user who consents on the sign-in page from now on; null denies. */
  readonly signIn: (user: string | null) => void;
  /** Consents or denies at a consent URL, as a browser would, and returns the callback's URL. */
  readonly consent: (url: string, user: string | null) => string;
  readonly decideDevice: (userCode: string, decision: { readonly user: string } | "denied" | "expired") => void;
  readonly revoke: (user: string) => void;
  /** Returns the user of an access token that is valid now. */
  readonly userOf: (accessToken: string) => string | undefined;
  readonly accessToken: (user: string, scopes?: ReadonlyArray<string>) => string;
  /** Returns the refresh token of a consent that an application obtained without Postern. */
  readonly refreshToken: (user: string) => string;
  /** The key of access tokens, in PEM. */
  readonly publicKey: string;
  readonly requests: () => ReadonlyArray<TokenRequest>;
  /** Every code, token and secret so far, for tests that search for leaked secrets. */
  readonly secrets: () => ReadonlyArray<string>;
  readonly listener: RequestListener;
}

/** Starts a provider on a free loopback port. */
export const openIdProvider = ({
  kind = "oidc",
  client = { clientId: "postern", clientSecret: "s3cret:with/odd+letters%" },
}: OpenIdProviderOptions = {}): Effect.Effect<OpenIdProvider, never, Scope.Scope> =>
  Effect.gen(function* () {
    const state = new ProviderState(kind);
    if (client.clientSecret !== undefined) state.secrets.push(client.clientSecret);
    let user: string | null = "user@example.org";
    const listener = listenerOf(state, client, () => user);
    const server = createServer(listener);
    yield* Effect.acquireRelease(
      Effect.promise(() => new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))),
      () =>
        Effect.promise(() => {
          const closed = new Promise<void>((done) => server.close(() => done()));
          server.closeAllConnections();
          return closed;
        }),
    );
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    state.issuer = kind === "microsoft" ? `${origin}/common/v2.0` : origin;
    return {
      issuer: state.issuer,
      client,
      behave: (behaviour) => void (state.behaviour = behaviour),
      signIn: (next) => void (user = next),
      consent: (url, who) => authorize(state, client, new URL(url).searchParams, who),
      decideDevice: (userCode, decision) => {
        for (const device of state.devices.values()) if (device.userCode === userCode) device.decision = decision;
      },
      revoke: (who) => state.revoke(who),
      userOf: (token) => state.userOf(token),
      accessToken: (who, scopes = ["mail"]) => state.accessToken(who, scopes),
      refreshToken: (who) => state.consent(who, ["mail"]),
      publicKey: state.publicKey.export({ type: "spki", format: "pem" }).toString(),
      requests: () => state.requests,
      secrets: () => state.secrets,
      listener,
    };
  });

const metadataOf = ({ issuer, kind }: ProviderState) => ({
  issuer: kind === "microsoft" ? issuer.replace("/common/", "/{tenantid}/") : issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  device_authorization_endpoint: `${issuer}/device`,
  jwks_uri: `${issuer}/keys`,
  response_types_supported: ["code"],
  id_token_signing_alg_values_supported: ["RS256"],
  code_challenge_methods_supported: ["S256"],
  token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "private_key_jwt"],
  ...(kind === "oidc" ? { authorization_response_iss_parameter_supported: true } : {}),
});

const listenerOf =
  (state: ProviderState, client: RegisteredClient, user: () => string | null): RequestListener =>
  (request, response) =>
    void (async () => {
      const url = new URL(request.url ?? "/", state.issuer);
      const path = url.pathname.slice(new URL(state.issuer).pathname.replace(/\/$/, "").length);
      if (path === "/authorize") {
        const to = authorize(state, client, url.searchParams, user());
        return response.writeHead(302, { location: to }).end();
      }
      const endpoint = ENDPOINTS[path];
      if (endpoint === undefined) return response.writeHead(404).end();
      const form = new URLSearchParams(await bodyOf(request));
      const scripted = state.behaviour.answers?.[endpoint];
      if (scripted !== undefined) return sendScripted(response, scripted);
      if (endpoint === "discovery") return json(response, 200, metadataOf(state));
      if (endpoint === "keys") {
        const key = { ...state.publicKey.export({ format: "jwk" }), kid: "default", alg: "RS256", use: "sig" };
        return json(response, 200, { keys: [key] });
      }
      if (endpoint === "device") return json(response, 200, startDevice(state, form));
      const { authorization } = request.headers;
      const [status, body] = answerTokenRequest(state, client, form, authorization);
      const asked: TokenRequest = {
        grant: form.get("grant_type") ?? "",
        parameters: form,
        authorization,
        status,
        user: state.consents.get(form.get("refresh_token") ?? "")?.user ?? null,
        at: Date.now(),
        answeredAt: null,
      };
      state.requests.push(asked);
      await new Promise((wait) => setTimeout(wait, state.behaviour.delay ?? 0));
      if (!response.destroyed) asked.answeredAt = Date.now();
      json(response, status, body, status === 401 ? { "www-authenticate": 'Basic realm="provider"' } : {});
    })();

const ENDPOINTS: Readonly<Record<string, ProviderEndpoint>> = {
  "/.well-known/openid-configuration": "discovery",
  "/keys": "keys",
  "/token": "token",
  "/device": "device",
};

const authorize = (
  state: ProviderState,
  { clientId }: RegisteredClient,
  asked: URLSearchParams,
  user: string | null,
): string => {
  const redirectUri = asked.get("redirect_uri") ?? "";
  const to = new URL(redirectUri);
  const answer = (parameters: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries(parameters)) to.searchParams.set(name, value);
    const echoed = asked.get("state");
    if (echoed !== null) to.searchParams.set("state", echoed);
    if (state.kind === "oidc") to.searchParams.set("iss", state.issuer);
    return to.href;
  };
  const isRight =
    asked.get("client_id") === clientId &&
    asked.get("response_type") === "code" &&
    asked.get("code_challenge_method") === "S256";
  if (!isRight) return answer({ error: "invalid_request" });
  if (user === null) return answer({ error: "access_denied" });
  const scopes = (asked.get("scope") ?? "").split(" ");
  const resources = scopes.flatMap((scope) => (URL.canParse(scope) ? [new URL(scope).origin] : []));
  if (state.kind === "microsoft" && new Set(resources).size > 1) {
    return answer({ error: "invalid_scope", error_description: "AADSTS28000: more than one resource" });
  }
  const code = state.secret("code");
  const offline = { oidc: scopes.includes("offline_access"), microsoft: scopes.includes("offline_access") };
  const isOffline =
    state.kind === "google"
      ? asked.get("access_type") === "offline" && asked.get("prompt") === "consent"
      : offline[state.kind];
  state.codes.set(code, {
    user,
    scopes,
    redirectUri,
    challenge: asked.get("code_challenge") ?? "",
    nonce: asked.get("nonce") ?? undefined,
    isOffline,
  });
  return answer({ code });
};

const startDevice = (state: ProviderState, form: URLSearchParams) => {
  const deviceCode = state.secret("device");
  const userCode = deviceCode.slice(-8).toUpperCase();
  state.devices.set(deviceCode, { userCode, scopes: (form.get("scope") ?? "").split(" "), decision: undefined });
  const at = `${state.issuer}/activate`;
  return { device_code: deviceCode, user_code: userCode, verification_uri: at, expires_in: 900, interval: 5 };
};

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const pieces: Array<Buffer> = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces).toString();
};

const json = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
) => response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));

const sendScripted = (response: ServerResponse, answer: ScriptedAnswer): void => {
  if (answer._tag === "Silence") return;
  if (answer._tag === "Cut") return void response.socket?.destroy();
  const { status, type = "application/json", body, headers = {} } = answer;
  response.writeHead(status, { "content-type": type, ...headers }).end(body);
};
