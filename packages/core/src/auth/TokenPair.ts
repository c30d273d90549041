/** What a sign-in answers with (seed 2.1). */
export interface TokenPair {
  readonly token: string;
  readonly refreshToken: string;
  /** Lifetime of the access token in seconds. */
  readonly expiresIn: number;
}
