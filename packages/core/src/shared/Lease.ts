/**
 * The right to work on a message, for a while (architecture: engine). Who holds the token may save; once another took
 * the message over, the token is worth nothing.
 */
export interface Lease {
  readonly token: string;
  /** Epoch milliseconds. */
  readonly until: number;
}
