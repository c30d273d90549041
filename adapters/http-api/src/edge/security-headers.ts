/** Returns the headers of every response. API responses are data: they must not be executed, framed or cached. */
export const securityHeaders = (options: { readonly strictTransport: boolean }): Readonly<Record<string, string>> => ({
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cache-control": "no-store",
  ...(options.strictTransport ? { "strict-transport-security": "max-age=31536000; includeSubDomains" } : {}),
});
