/** The limits on sending by a key or a grant without a person's approval (spec 13.1). */
export interface SendPolicy {
  /** The allowed recipients: `thread`, addresses, and domains as `@domain`. */
  readonly to: ReadonlyArray<string>;
  /** The maximum number of messages sent or submitted for approval in 24 hours; absent if only other limits count. */
  readonly perDay?: number;
  /**
   * `always`: every message needs an approval. `outside`: a message outside of the policy needs an approval. `never`: a
   * message outside of the policy is refused.
   */
  readonly approval: "always" | "outside" | "never";
}
