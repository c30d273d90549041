import type { TokenClaims, TokenUse } from "@postern/core/auth";

/**
 * Caches tokens with a verified signature, so that a token in constant use is not verified again; drops the oldest.
 * Only the signature is settled: callers still check use and expiry.
 */
export const makeVerifiedTokens = (capacity: number) => {
  const verified = new Map<string, { readonly use: TokenUse; readonly claims: TokenClaims }>();
  return {
    find: (use: TokenUse, token: string): TokenClaims | undefined => {
      const known = verified.get(token);
      return known?.use === use ? known.claims : undefined;
    },
    remember: (use: TokenUse, token: string, claims: TokenClaims): void => {
      const oldest = verified.size >= capacity && !verified.has(token) ? verified.keys().next() : undefined;
      if (oldest?.done === false) verified.delete(oldest.value);
      verified.set(token, { use, claims });
    },
    forget: (token: string): void => {
      verified.delete(token);
    },
  };
};
