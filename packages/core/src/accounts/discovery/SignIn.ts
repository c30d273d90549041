/** A kind of sign-in that a mail server accepts. */
export type SignIn =
  | { readonly kind: "password" }
  /** A password that the user creates for one program; `helpPage` explains how. */
  | { readonly kind: "app_password"; readonly helpPage: string }
  /** An access token of the authorization server `provider`; null if the source does not name the server. */
  | { readonly kind: "oauth2"; readonly provider: string | null };

export const PASSWORD: SignIn = { kind: "password" };

/** Returns the sign-in kind of a provider that has a help page on how to make an app password. */
export const appPassword = (helpPage: string): SignIn => ({ kind: "app_password", helpPage });
