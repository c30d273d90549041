import type { DeviceAuthorization, DevicePoll, IssuedTokens, OAuthApp } from "@postern/core/oauth";
import { Redacted } from "effect";
import * as oauth from "oauth4webapi";
import { identityOf, ofTenant } from "./identity.ts";
import { NotAnswered } from "./guarded-fetch.ts";
import { tokensOf } from "./issued-tokens.ts";
import { pageAddress } from "./page-address.ts";
import type { Provider } from "./Provider.ts";
import { secondsOf } from "./seconds-of.ts";
import { serviceAssertion } from "./service-assertion.ts";

/**
 * Exchanges a refresh token. An identity token in the answer is ignored, because the user was identified at the
 * consent. If the identity token were read and invalid, the rotated refresh token would be lost.
 */
export const refresh = async (
  { server, client, authentication, http }: Provider,
  refreshToken: string,
): Promise<IssuedTokens> => {
  const response = await oauth.refreshTokenGrantRequest(server, client, authentication, refreshToken, http);
  return tokensOf(await oauth.processRefreshTokenResponse(server, client, await withoutIdentity(response)));
};

const withoutIdentity = async (response: Response): Promise<Response> => {
  if (response.status !== 200) return response;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  if (typeof body !== "object" || body === null || !("id_token" in body)) return response;
  return Response.json({ ...body, id_token: undefined });
};

/** Returns a token for one mailbox by the app's own credentials. */
export const issueByApp = async (provider: Provider, app: OAuthApp, email: string): Promise<IssuedTokens> => {
  const { server, client, authentication, facts, http } = provider;
  const scope = (app.scopes ?? facts.applicationScopes).join(" ");
  if (app.provider === "google") {
    const assertion = serviceAssertion(app, server, email, scope);
    const response = await oauth.genericTokenEndpointRequest(
      server,
      client,
      // The assertion names the client.
      () => {},
      "urn:ietf:params:oauth:grant-type:jwt-bearer",
      { assertion },
      http,
    );
    return tokensOf(await oauth.processGenericTokenEndpointResponse(server, client, response));
  }
  const parameters = scope === "" ? {} : { scope };
  const response = await oauth.clientCredentialsGrantRequest(server, client, authentication, parameters, http);
  return tokensOf(await oauth.processClientCredentialsResponse(server, client, response));
};

/** Seconds between two polls if the provider names no interval (RFC 8628, 3.2). */
const POLL_INTERVAL = 5;
/** Bounds of the times in a provider's answer, in seconds. They leave a user time to read a code and type it. */
const MAX_INTERVAL_SECONDS = 600;
const MAX_DEVICE_SECONDS = 86_400;

/** A code as users type it. */
const USER_CODE = /^[^\p{Cc}]{1,64}$/u;

export const startDevice = async ({
  server,
  client,
  authentication,
  scope,
  facts,
  http,
}: Provider): Promise<DeviceAuthorization> => {
  const response = await oauth.deviceAuthorizationRequest(server, client, authentication, { scope }, http);
  const started = await oauth.processDeviceAuthorizationResponse(server, client, response);
  if (!USER_CODE.test(started.user_code)) throw new NotAnswered({ code: "the user code has impossible characters" });
  const address = pageAddress(started.verification_uri, facts.issuer);
  const { verification_uri_complete: complete } = started;
  return {
    deviceCode: Redacted.make(started.device_code),
    userCode: started.user_code,
    verificationUrl: complete === undefined ? address : pageAddress(complete, facts.issuer),
    expiresIn: secondsOf(started.expires_in, MAX_DEVICE_SECONDS),
    interval: secondsOf(started.interval ?? POLL_INTERVAL, MAX_INTERVAL_SECONDS),
  };
};

/** The meaning of each error of a poll (RFC 8628, 3.5); Microsoft has other names for two of them. */
const POLLS: ReadonlyMap<string, DevicePoll> = new Map<string, DevicePoll>([
  ["authorization_pending", { _tag: "Pending" }],
  ["slow_down", { _tag: "SlowDown" }],
  ["access_denied", { _tag: "Denied" }],
  ["authorization_declined", { _tag: "Denied" }],
  ["expired_token", { _tag: "Expired" }],
  ["code_expired", { _tag: "Expired" }],
]);

export const pollDevice = async (
  { server, keys, client, authentication, facts, http }: Provider,
  deviceCode: string,
): Promise<DevicePoll> => {
  const response = await oauth.deviceCodeGrantRequest(server, client, authentication, deviceCode, http);
  const tenant = await ofTenant(server, response);
  try {
    const issued = await oauth.processDeviceCodeResponse(tenant, client, response);
    const tokens = tokensOf(issued);
    if (issued.id_token === undefined) return { _tag: "Authorized", tokens };
    await oauth.validateApplicationLevelSignature(tenant, response, { ...http, [oauth.jwksCache]: keys });
    return { _tag: "Authorized", tokens: { ...tokens, identity: identityOf(issued, facts) } };
  } catch (error) {
    const poll = error instanceof oauth.ResponseBodyError ? POLLS.get(error.error) : undefined;
    if (poll === undefined) throw error;
    return poll;
  }
};
