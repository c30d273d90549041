/** The OAuth2 app of the examples. */
export const OAUTH_APP = {
  id: "google",
  provider: "google",
  label: "Google",
  issuer: null,
  tenant: null,
  clientId: "1234.apps.googleusercontent.com",
  authentication: "client_secret",
  mode: "delegated",
  tokenUrl: null,
  scopes: null,
  imap: null,
  smtp: null,
  domains: [],
  fixed: false,
} as const;

/** The same app, in the form that users see. */
export const SIGN_IN_PROVIDER = { id: "google", provider: "google", label: "Google" } as const;
