/** A kind of sign-in that a mail server takes. */
export type SignIn =
  | { readonly kind: "password" }
  /** A password made for one program; `helpPage` says how. */
  | { readonly kind: "app_password"; readonly helpPage: string }
  /** An access token of this authorization server, `null` if the source does not name it. */
  | { readonly kind: "oauth2"; readonly provider: string | null };

export const PASSWORD: SignIn = { kind: "password" };

/** Returns the sign-in kind of a provider that has a help page on how to make an app password. */
export const appPassword = (helpPage: string): SignIn => ({ kind: "app_password", helpPage });
