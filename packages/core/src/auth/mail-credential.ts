import type { Redacted } from "effect";

/** A user name and a password. `username` is the address as the user typed it. */
export interface PasswordCredential {
  readonly _tag: "Password";
  readonly username: string;
  readonly password: Redacted.Redacted;
}

/** A user name and an OAuth2 access token that is valid now. The token is never sent as a password. */
export interface TokenCredential {
  readonly _tag: "AccessToken";
  readonly username: string;
  readonly token: Redacted.Redacted;
}

/** A user's credential for a mail server (spec 3). */
export type MailCredential = PasswordCredential | TokenCredential;

/** Returns the password or the token. */
export const secretOf = (credential: MailCredential): Redacted.Redacted =>
  credential._tag === "Password" ? credential.password : credential.token;
