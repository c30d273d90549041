/** The options of each call, besides its request. */
export interface CallOptions {
  /** Aborts the call and the wait before a retry; the call rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}
