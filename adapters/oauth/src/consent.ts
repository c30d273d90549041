import {
  AppMisconfigured,
  CallbackRejected,
  ConsentDenied,
  type ConsentRequest,
  type IssuedTokens,
  type ProviderIdentity,
  providerFault,
  ProviderUnavailable,
} from "@postern/core/oauth";
import { Redacted } from "effect";
import * as oauth from "oauth4webapi";
import { NotAnswered } from "./guarded-fetch.ts";
import { identityOf, ofTenant } from "./identity.ts";
import { tokensOf } from "./issued-tokens.ts";
import { pageAddress } from "./page-address.ts";
import type { Provider } from "./Provider.ts";
import { ANY_TENANT } from "./provider-facts.ts";

/** Returns the URL at which a user consents (RFC 6749, 4.1.1; RFC 7636, 4.3). */
export const consentUrl = async (
  { server, client, facts, scope }: Provider,
  { redirectUri, state, nonce, verifier, loginHint }: ConsentRequest & { readonly loginHint: string | null },
): Promise<string> => {
  const url = new URL(pageAddress(server.authorization_endpoint, facts.issuer));
  const parameters = {
    client_id: client.client_id,
    redirect_uri: redirectUri,
    response_type: "code",
    scope,
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(Redacted.value(verifier)),
    code_challenge_method: "S256",
    ...(loginHint === null ? {} : { login_hint: loginHint }),
    ...facts.parameters,
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
};

/** Exchanges the code of a callback for tokens. Throws an error of this port for a refusal, otherwise the error of the library. */
export const exchangeCode = async (
  provider: Provider,
  request: ConsentRequest & { readonly callbackUrl: Redacted.Redacted },
): Promise<IssuedTokens & { readonly identity: ProviderIdentity }> => {
  const { server, keys, client, authentication, facts, http } = provider;
  const { redirectUri, nonce, verifier } = request;
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    authentication,
    codeOf(provider, request),
    redirectUri,
    Redacted.value(verifier),
    http,
  );
  const tenant = await ofTenant(server, response);
  try {
    const issued = await oauth.processAuthorizationCodeResponse(tenant, client, response, {
      expectedNonce: nonce,
      requireIdToken: true,
    });
    await oauth.validateApplicationLevelSignature(tenant, response, { ...http, [oauth.jwksCache]: keys });
    return { ...tokensOf(issued), identity: identityOf(issued, facts) };
  } catch (error) {
    throw isAboutToken(error, response) ? new CallbackRejected() : error;
  }
};

/** Returns whether a token answer was refused because of its identity token. */
const isAboutToken = (error: unknown, { status }: Response): boolean =>
  status === 200 &&
  !(error instanceof NotAnswered) &&
  !(error instanceof Error && "code" in error && NO_ANSWER.has(error.code));

const NO_ANSWER = new Set<unknown>([oauth.PARSE_ERROR, oauth.RESPONSE_IS_NOT_JSON, oauth.RESPONSE_IS_NOT_CONFORM]);

/** Returns the parameters of a callback, after checking the state and the issuer (RFC 9207). Throws for a refusal. */
const codeOf = (
  { server, client }: Provider,
  { callbackUrl, state }: ConsentRequest & { readonly callbackUrl: Redacted.Redacted },
): URLSearchParams => {
  const { searchParams } = new URL(Redacted.value(callbackUrl));
  if (!searchParams.has("code") && !searchParams.has("error")) throw new CallbackRejected();
  try {
    return oauth.validateAuthResponse(ofCallback(server, searchParams), client, searchParams, state);
  } catch (error) {
    throw error instanceof oauth.AuthorizationResponseError ? refusalOf(error) : new CallbackRejected();
  }
};

/** Returns the metadata with the callback's tenant as issuer, if the issuer in the metadata is a placeholder. */
const ofCallback = (server: oauth.AuthorizationServer, callback: URLSearchParams): oauth.AuthorizationServer => {
  const [before, after] = server.issuer.split(ANY_TENANT);
  const issuer = callback.get("iss");
  if (after === undefined || issuer === null) return server;
  const tenant = issuer.slice(before?.length, -after.length);
  return /^[\da-f-]{36}$/i.test(tenant) ? { ...server, issuer: `${before}${tenant}${after}` } : server;
};

/** Returns the refusal in the callback of a provider (RFC 6749, 4.1.2.1). */
const refusalOf = ({ error, error_description: description }: oauth.AuthorizationResponseError) => {
  if (error === "access_denied") return new ConsentDenied();
  const said = providerFault(error, description);
  if (said._tag === "App") return new AppMisconfigured({ fault: said.fault });
  return said._tag === "Grant" ? new ConsentDenied() : new ProviderUnavailable({ retryAfter: null });
};
