const policy = (directives: Readonly<Record<string, string>>): string =>
  Object.entries(directives)
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join("; ");

const NOTHING_ELSE = { "default-src": "'none'", "base-uri": "'none'", "form-action": "'none'" } as const;

/** The policy of the console's pages: resources come only from their own origin, and nothing is inline. */
export const CONSOLE_POLICY = policy({
  ...NOTHING_ELSE,
  "script-src": "'self'",
  "style-src": "'self'",
  "img-src": "'self' data:",
  "font-src": "'self'",
  "connect-src": "'self'",
  // Attached PDFs are shown from blobs.
  "frame-src": "'self' blob:",
  "worker-src": "'self'",
  "manifest-src": "'self'",
  "frame-ancestors": "'none'",
});

/** Returns the policy of the pages that contain a message's HTML. No script runs in them. Remote content is loaded only at the reader's request. */
export const messagePolicy = (options: { readonly remoteImages: boolean }): string =>
  policy({
    ...NOTHING_ELSE,
    "style-src": "'self' 'unsafe-inline'",
    "img-src": options.remoteImages ? "'self' data: https: http:" : "'self' data:",
    "font-src": "'self'",
    "frame-ancestors": "'self'",
  });
