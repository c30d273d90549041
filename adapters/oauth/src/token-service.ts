import type { IssuedTokens, OAuthApp } from "@postern/core/oauth";
import { Schema } from "effect";
import * as oauth from "oauth4webapi";
import { type GuardedFetch, NotAnswered } from "./guarded-fetch.ts";
import { tokensOf } from "./issued-tokens.ts";

/** The answer of the operator's token service. */
const Answer = Schema.Struct({
  accessToken: Schema.NonEmptyString,
  expiresIn: Schema.Number.check(Schema.isGreaterThan(0)),
});

/** Returns a token for one mailbox from the operator's token service. The service's refusals have the form of OAuth2 errors. */
export const askTokenService = async (
  fetch: GuardedFetch,
  { tokenUrl }: OAuthApp,
  email: string,
  signal: AbortSignal,
): Promise<IssuedTokens> => {
  if (tokenUrl === null) throw new NotAnswered({ code: "the app has no tokenUrl" });
  const response = await fetch(tokenUrl, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({ email }),
    signal,
  });
  const service = { issuer: tokenUrl };
  return tokensOf(
    await oauth.processGenericTokenEndpointResponse(service, { client_id: email }, await inProtocol(response)),
  );
};

/** Converts the service's answer to the form of a token endpoint's answer (RFC 6749, 5.1). */
const inProtocol = async (response: Response): Promise<Response> => {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  const answer = Schema.decodeUnknownOption(Answer)(body);
  if (response.status !== 200 || answer._tag === "None") return response;
  const { accessToken, expiresIn } = answer.value;
  return Response.json({ access_token: accessToken, expires_in: expiresIn, token_type: "bearer" });
};
