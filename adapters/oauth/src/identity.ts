import { CallbackRejected, type ProviderIdentity } from "@postern/core/oauth";
import * as oauth from "oauth4webapi";
import { ANY_TENANT, type ProviderFacts } from "./provider-facts.ts";

/** Returns the user of an issued identity token. Throws `CallbackRejected` if the token names no user. */
export const identityOf = (issued: oauth.TokenEndpointResponse, { subjectOf }: ProviderFacts): ProviderIdentity => {
  const claims = oauth.getValidatedIdTokenClaims(issued);
  const subject = claims === undefined ? undefined : subjectOf(claims);
  if (claims === undefined || subject === undefined) throw new CallbackRejected();
  return { issuer: claims.iss, subject, address: addressOf(claims) };
};

const addressOf = ({ email, preferred_username: name }: Readonly<Record<string, unknown>>): string | null =>
  [email, name].find((claim): claim is string => typeof claim === "string" && claim.includes("@")) ?? null;

/**
 * Returns the metadata with the issuer of the tenant that issued this answer's identity token, if the issuer in the
 * metadata is a placeholder. The claim is not verified here; the signature is checked afterwards with the keys of all
 * tenants.
 */
export const ofTenant = async (
  server: oauth.AuthorizationServer,
  answer: Response,
): Promise<oauth.AuthorizationServer> => {
  if (!server.issuer.includes(ANY_TENANT)) return server;
  const body: unknown = await answer
    .clone()
    .json()
    .catch(() => undefined);
  const { id_token: token } = Object(body) as { readonly id_token?: unknown };
  const tenant = typeof token === "string" ? tenantOf(token) : undefined;
  return tenant === undefined ? server : { ...server, issuer: server.issuer.replace(ANY_TENANT, tenant) };
};

const tenantOf = (token: string): string | undefined => {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    const { tid } = Object(claims) as { readonly tid?: unknown };
    return typeof tid === "string" && /^[\da-f-]{36}$/i.test(tid) ? tid : undefined;
  } catch {
    return undefined;
  }
};
