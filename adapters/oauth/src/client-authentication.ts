import { createHash, createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import type { OAuthApp } from "@postern/core/oauth";
import { Data, Redacted } from "effect";
import * as oauth from "oauth4webapi";
import type { ProviderFacts } from "./provider-facts.ts";

/** The app's private key cannot be read, or is of a type that cannot sign assertions. */
export class KeyUnusable extends Data.TaggedError("KeyUnusable") {}

/** Returns the app's client authentication at the token endpoint, which throws `KeyUnusable` for an unusable key. */
export const clientAuthentication = (
  { secret }: OAuthApp,
  { secretInBody, assertsToEndpoint }: ProviderFacts,
  server: oauth.AuthorizationServer,
): oauth.ClientAuth => {
  if (secret._tag === "None") return oauth.None();
  const value = Redacted.value(secret.value);
  if (secret._tag === "ClientSecret") {
    // A provider without a list accepts Basic (RFC 8414, 2).
    const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const inBody = methods.includes("client_secret_post") && (secretInBody || !methods.includes("client_secret_basic"));
    return inBody ? oauth.ClientSecretPost(value) : oauth.ClientSecretBasic(value);
  }
  return (...request) => {
    const thumbprint = thumbprintOf(value);
    const sign = oauth.PrivateKeyJwt(signingKey(readKey(value)), {
      [oauth.modifyAssertion]: (header, payload) => {
        if (thumbprint !== undefined) header["x5t#S256"] = thumbprint;
        if (assertsToEndpoint && server.token_endpoint !== undefined) payload["aud"] = server.token_endpoint;
      },
    });
    return sign(...request);
  };
};

/** Reads a private key in PEM; the text may contain a certificate too. */
export const readKey = (pem: string): KeyObject => {
  try {
    return createPrivateKey(pem);
  } catch {
    throw new KeyUnusable();
  }
};

const signingKey = (key: KeyObject): oauth.CryptoKey => {
  const curve = key.asymmetricKeyDetails?.namedCurve;
  if (key.asymmetricKeyType === "rsa") return key.toCryptoKey({ name: "RSA-PSS", hash: "SHA-256" }, false, ["sign"]);
  if (key.asymmetricKeyType === "ed25519") return key.toCryptoKey("Ed25519", false, ["sign"]);
  const namedCurve = curve === "prime256v1" ? "P-256" : curve === "secp384r1" ? "P-384" : undefined;
  if (namedCurve === undefined) throw new KeyUnusable();
  return key.toCryptoKey({ name: "ECDSA", namedCurve }, false, ["sign"]);
};

/** Returns the SHA-256 of the certificate in a PEM text, by which Microsoft finds the key; undefined without a certificate. */
const thumbprintOf = (pem: string): string | undefined => {
  const [certificate] = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/.exec(pem) ?? [];
  if (certificate === undefined) return undefined;
  try {
    return createHash("sha256").update(new X509Certificate(certificate).raw).digest("base64url");
  } catch {
    throw new KeyUnusable();
  }
};
