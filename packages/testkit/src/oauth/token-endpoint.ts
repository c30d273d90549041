import { createHash } from "node:crypto";
import { verifyJwt } from "./jwt.ts";
import type { ProviderState } from "./ProviderState.ts";

/** A client registered at a provider; without secret and key it is public. */
export interface RegisteredClient {
  readonly clientId: string;
  readonly clientSecret?: string;
  /** The public key of `private_key_jwt`, or of a service account, in PEM. */
  readonly publicKey?: string;
}

type Answer = readonly [status: number, body: Readonly<Record<string, unknown>>];

const refusalAnswer = (error: string, description?: string, status = 400): Answer => [
  status,
  { error, ...(description === undefined ? {} : { error_description: description }) },
];

const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const DEVICE_CODE = "urn:ietf:params:oauth:grant-type:device_code";

/** Answers a token request (RFC 6749, 5). */
export const answerTokenRequest = (
  state: ProviderState,
  client: RegisteredClient,
  form: URLSearchParams,
  authorization: string | undefined,
): Answer => {
  const grant = form.get("grant_type") ?? "";
  const { refusal } = state.behaviour;
  if (refusal !== undefined) return [400, refusal];
  if (grant === JWT_BEARER) return answerServiceAccount(state, client, form);
  if (!isClient(state, client, form, authorization)) {
    const description = state.kind === "microsoft" ? "AADSTS7000215: Invalid client secret provided." : undefined;
    return refusalAnswer("invalid_client", description, 401);
  }
  if (grant === "authorization_code") return answerCode(state, client, form);
  if (grant === "refresh_token") return answerRefresh(state, form);
  if (grant === "client_credentials") return answerApplication(state, form);
  if (grant === DEVICE_CODE) return answerDevice(state, client, form);
  return refusalAnswer("unsupported_grant_type");
};

const answerCode = (state: ProviderState, { clientId }: RegisteredClient, form: URLSearchParams): Answer => {
  const text = form.get("code") ?? "";
  const code = state.codes.get(text);
  state.codes.delete(text);
  const challenge = createHash("sha256")
    .update(form.get("code_verifier") ?? "")
    .digest("base64url");
  if (code === undefined || code.redirectUri !== form.get("redirect_uri") || code.challenge !== challenge) {
    return refusalAnswer("invalid_grant");
  }
  return [
    200,
    {
      ...tokens(state, code),
      ...(code.isOffline ? { refresh_token: state.consent(code.user, code.scopes) } : {}),
      id_token: state.identityToken(code.user, clientId, code.scopes, code.nonce),
    },
  ];
};

const answerRefresh = (state: ProviderState, form: URLSearchParams): Answer => {
  const presented = form.get("refresh_token") ?? "";
  const consent = state.consents.get(presented);
  if (consent === undefined || consent.isEnded) return refusalAnswer("invalid_grant");
  if (state.rotation === "none") return [200, tokens(state, consent)];
  if (state.rotation === "strict" && consent.current !== presented) {
    consent.isEnded = true;
    return refusalAnswer("invalid_grant", "a refresh token was used twice");
  }
  consent.current = state.secret("rt");
  state.consents.set(consent.current, consent);
  return [200, { ...tokens(state, consent), refresh_token: consent.current }];
};

const answerApplication = (state: ProviderState, form: URLSearchParams): Answer => {
  const scope = form.get("scope") ?? "";
  if (state.kind === "microsoft" && !scope.endsWith("/.default")) {
    return refusalAnswer("invalid_scope", "AADSTS1002012: The provided value for scope is not valid.");
  }
  return [200, tokens(state, { user: "application", scopes: scope.split(" ") })];
};

const answerServiceAccount = (state: ProviderState, client: RegisteredClient, form: URLSearchParams): Answer => {
  const read = verifyJwt(form.get("assertion") ?? "", client.publicKey ?? "");
  const { iss, sub, scope, aud } = read?.claims ?? {};
  if (iss !== client.clientId || aud !== `${state.issuer}/token` || typeof sub !== "string") {
    return refusalAnswer("invalid_grant", "Invalid JWT Signature.");
  }
  return [200, tokens(state, { user: sub, scopes: String(scope).split(" ") })];
};

const answerDevice = (state: ProviderState, { clientId }: RegisteredClient, form: URLSearchParams): Answer => {
  const device = state.devices.get(form.get("device_code") ?? "");
  if (device === undefined) return refusalAnswer("invalid_grant");
  const { decision, scopes } = device;
  if (decision === undefined) return refusalAnswer("authorization_pending");
  if (decision === "denied")
    return refusalAnswer(state.kind === "microsoft" ? "authorization_declined" : "access_denied");
  if (decision === "expired") return refusalAnswer("expired_token");
  const { user } = decision;
  const refreshToken = state.consent(user, scopes);
  const identity = state.identityToken(user, clientId, scopes, undefined);
  return [200, { ...tokens(state, { user, scopes }), refresh_token: refreshToken, id_token: identity }];
};

const tokens = (
  state: ProviderState,
  { user, scopes }: { readonly user: string; readonly scopes: ReadonlyArray<string> },
) => ({
  access_token: state.accessToken(user, scopes),
  token_type: "Bearer",
  expires_in: state.lifetime,
  scope: scopes.join(" "),
});

/**
 * Returns whether a request comes from the client, by the authentication method that is registered for the client (OpenID
 * Connect Core, 9).
 */
const isClient = (
  state: ProviderState,
  { clientId, clientSecret, publicKey }: RegisteredClient,
  form: URLSearchParams,
  authorization: string | undefined,
): boolean => {
  const basic = /^Basic (.*)$/.exec(authorization ?? "")?.[1];
  const [id, secret] =
    basic === undefined
      ? [form.get("client_id"), form.get("client_secret")]
      : Buffer.from(basic, "base64")
          .toString()
          .split(":")
          .map((part) => decodeURIComponent(part.replaceAll("+", " ")));
  if (publicKey !== undefined) {
    const read = verifyJwt(form.get("client_assertion") ?? "", publicKey);
    const audience = read?.claims["aud"];
    return read?.claims["sub"] === clientId && (audience === state.issuer || audience === `${state.issuer}/token`);
  }
  return id === clientId && (secret ?? undefined) === clientSecret;
};
