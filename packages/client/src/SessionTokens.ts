/** What a signed-in client holds (seed 2.1). Keep it as secret as a password. */
export interface SessionTokens {
  readonly token: string;
  readonly refreshToken: string;
}
