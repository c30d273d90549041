import type { TokenClaims, TokenUse } from "@postern/core/auth";

/**
 * Remembers tokens whose signature was checked, so that one in constant use is not checked again; the oldest makes
 * room. Only the signature is settled by it: use and expiry are for each caller to compare.
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
