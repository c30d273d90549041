import { createPublicKey, type KeyObject, sign, verify } from "node:crypto";

const encode = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString("base64url");

/** Returns a signed token (RFC 7519) of an RSA key. */
export const signJwt = (claims: Readonly<Record<string, unknown>>, key: KeyObject, kid: string): string => {
  const signed = `${encode({ alg: "RS256", typ: "JWT", kid })}.${encode(claims)}`;
  return `${signed}.${sign("sha256", Buffer.from(signed), key).toString("base64url")}`;
};

/**
 * Returns the header and claims of a token that this public key's owner signed (RS256 or PS256); otherwise undefined.
 */
export const verifyJwt = (
  token: string,
  publicKey: string,
): { readonly header: Record<string, unknown>; readonly claims: Record<string, unknown> } | undefined => {
  const [header = "", claims = "", signature = ""] = token.split(".");
  const read = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString()) as Record<string, unknown>;
  try {
    const { alg } = read(header);
    const key = createPublicKey(publicKey);
    const padding = alg === "PS256" ? { padding: 6, saltLength: 32 } : {};
    const signed = Buffer.from(`${header}.${claims}`);
    if (alg !== "PS256" && alg !== "RS256") return undefined;
    if (!verify("sha256", signed, { key, ...padding }, Buffer.from(signature, "base64url"))) return undefined;
    return { header: read(header), claims: read(claims) };
  } catch {
    return undefined;
  }
};
