/** The options that each call takes beside its request. */
export interface CallOptions {
  /** Ends the call, and the wait before a retry; the call rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}
