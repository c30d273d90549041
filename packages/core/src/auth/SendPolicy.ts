/** What the holder of a key or a grant may send without a person's approval (spec 13.1). */
export interface SendPolicy {
  /** `thread`, addresses, and domains as `@domain`. */
  readonly to: ReadonlyArray<string>;
  /** How many messages may be sent or asked for in 24 hours; absent if only other limits count. */
  readonly perDay?: number;
  /** `always`: every sending asks; `outside`: what is outside of the policy asks; `never`: what is outside is refused. */
  readonly approval: "always" | "outside" | "never";
}
