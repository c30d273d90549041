/** The tokens that a sign-in or a refresh returns (spec 2.4). */
export interface TokenPair {
  readonly token: string;
  readonly refreshToken: string;
  /** Lifetime of the access token in seconds. */
  readonly expiresIn: number;
}
