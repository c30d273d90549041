/**
 * The right to work on a row for a while. Only the holder of the token may save; the token is void once another worker
 * takes over.
 */
export interface Lease {
  readonly token: string;
  /** Epoch milliseconds. */
  readonly until: number;
}
