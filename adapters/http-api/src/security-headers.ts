/** Headers of every answer. API answers are data: nothing in them may run, be framed or be kept. */
export const securityHeaders = (options: { readonly https: boolean }): Readonly<Record<string, string>> => ({
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cache-control": "no-store",
  ...(options.https ? { "strict-transport-security": "max-age=31536000; includeSubDomains" } : {}),
});
