/** What a sign-in answers with (spec 2.4). */
export interface TokenPair {
  readonly token: string;
  readonly refreshToken: string;
  /** Lifetime of the access token in seconds. */
  readonly expiresIn: number;
}
