import { Duration, Effect } from "effect";
import type { Fingerprints } from "../auth/index.ts";
import type { Entropy } from "../shared/index.ts";
import type { AgentGrant } from "./AgentGrant.ts";
import { ACCESS_TOKEN_LIFETIME, type TokenHashes } from "./grant-state.ts";

/** The sizes of the random parts of tokens, in bits. */
export const GRANT_ID_BITS = 96;
export const FAMILY_BITS = 128;
const SECRET_BITS = 256;

const ACCESS = /^pgt_([\w-]{16})_[\w-]{43}$/;
const REFRESH = /^pgr_([\w-]{16})_([\w-]{22})_[\w-]{43}$/;

/** Returns the id of the grant in the text of an access token; undefined if the text has another form. */
export const grantIdOf = (text: string): string | undefined => ACCESS.exec(text)?.[1];

/** Returns the id of the grant and the family in the text of a refresh token; undefined if the text has another form. */
export const refreshPartsOf = (text: string): { readonly id: string; readonly family: string } | undefined => {
  const [, id, family] = REFRESH.exec(text) ?? [];
  return id === undefined || family === undefined ? undefined : { id, family };
};

/** The response to a client's request for tokens (RFC 6749, 5.1). */
export interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresInSeconds: number;
  readonly scopes: AgentGrant["scopes"];
}

/** Makes a pair of tokens for a grant, with their hashes. */
export const newTokens = Effect.fnUntraced(function* (
  entropy: Entropy["Service"],
  fingerprints: Fingerprints["Service"],
  id: string,
  family: string,
) {
  const access = `pgt_${id}_${yield* entropy.id(SECRET_BITS)}`;
  const refresh = `pgr_${id}_${family}_${yield* entropy.id(SECRET_BITS)}`;
  const hashes: TokenHashes = { access: fingerprints.ofToken(access), refresh: fingerprints.ofToken(refresh) };
  const issuedFor = (scopes: AgentGrant["scopes"]): IssuedTokens => ({
    accessToken: access,
    refreshToken: refresh,
    expiresInSeconds: Duration.toSeconds(ACCESS_TOKEN_LIFETIME),
    scopes,
  });
  return { hashes, issuedFor };
});
