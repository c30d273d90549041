/** Returns what the path of every address below a base begins with: `/mail` of `https://example.com/mail`, nothing of an origin. */
export const prefixOf = (baseUrl: URL): string => baseUrl.pathname.replace(/\/+$/, "");
