/** Returns the prefix of every path below a base URL: `/mail` for `https://example.com/mail`, empty for an origin. */
export const prefixOf = (baseUrl: URL): string => baseUrl.pathname.replace(/\/+$/, "");
