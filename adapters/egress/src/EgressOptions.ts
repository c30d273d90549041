import type { Duration } from "effect";

/** The rules of a guard (spec 7). */
export interface EgressOptions {
  /** CIDRs that are exempt from the ban of private addresses and from `ports`; none by default. */
  readonly allowedNetworks?: ReadonlyArray<string>;
  /** The ports of public addresses that may be contacted; all by default. */
  readonly ports?: ReadonlyArray<number>;
  /** Addresses of name servers, with an optional port; the system's by default. */
  readonly nameServers?: ReadonlyArray<string>;
  /** The timeout of the DNS lookup; 5 seconds by default. */
  readonly timeout?: Duration.Input;
}
