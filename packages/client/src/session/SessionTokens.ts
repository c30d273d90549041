/** What a signed-in client holds (spec 2.4). Keep it as secret as a password. */
export interface SessionTokens {
  readonly token: string;
  readonly refreshToken: string;
}
