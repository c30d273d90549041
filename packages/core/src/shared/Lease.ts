/**
 * The right to work on something, for a while. Who holds the token may save; once another took it
 * over, the token is worth nothing.
 */
export interface Lease {
  readonly token: string;
  /** Epoch milliseconds. */
  readonly until: number;
}
