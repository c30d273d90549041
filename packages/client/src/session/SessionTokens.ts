/** The tokens of a signed-in client (spec 2.4). Keep them as secret as a password. */
export interface SessionTokens {
  readonly token: string;
  readonly refreshToken: string;
}
