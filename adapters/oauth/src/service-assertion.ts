import { sign } from "node:crypto";
import type { OAuthApp } from "@postern/core/oauth";
import { Redacted, Schema } from "effect";
import type * as oauth from "oauth4webapi";
import { KeyUnusable, readKey } from "./client-authentication.ts";

/** The key file of a Google service account, as far as it is read. */
const ServiceAccount = Schema.fromJsonString(
  Schema.Struct({ client_email: Schema.String, private_key: Schema.String, private_key_id: Schema.String }),
);

/** How many seconds a signed request is valid; Google allows an hour. */
const ASSERTED_FOR = 300;

/** Returns a request for a token that opens one mailbox, signed by a service account (RFC 7523, 2.1). */
export const serviceAssertion = (
  { secret }: OAuthApp,
  server: oauth.AuthorizationServer,
  email: string,
  scope: string,
): string => {
  if (secret._tag !== "PrivateKey") throw new KeyUnusable();
  const account = Schema.decodeUnknownOption(ServiceAccount)(Redacted.value(secret.value));
  if (account._tag === "None") throw new KeyUnusable();
  const { client_email: iss, private_key: key, private_key_id: kid } = account.value;
  const iat = Math.floor(Date.now() / 1000);
  const claims = { iss, sub: email, scope, aud: server.token_endpoint, iat, exp: iat + ASSERTED_FOR };
  const signed = [{ alg: "RS256", typ: "JWT", kid }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  return `${signed}.${sign("sha256", Buffer.from(signed), readKey(key)).toString("base64url")}`;
};
