/**
 * The right to work on a row for a while. Only the holder of the token may save; the token is void once another worker
 * takes over.
 */
export interface Lease {
  readonly token: string;
  /** Epoch milliseconds. */
  readonly until: number;
}

/** A lease of a row in work. Each renewal moves `until` forward; a lease that ended is never renewed again. */
export interface HeldLease {
  readonly token: string;
  until: number;
}
