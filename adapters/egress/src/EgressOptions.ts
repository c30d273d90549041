import type { Duration } from "effect";

/** The rules of a guard (spec 7). */
export interface EgressOptions {
  /** CIDRs exempt from the ban of private addresses and from `ports`; none by default. */
  readonly allowedNetworks?: ReadonlyArray<string>;
  /** The only ports of public addresses that may be contacted; all by default. */
  readonly ports?: ReadonlyArray<number>;
  /** Addresses of name servers, with an optional port; the system's by default. */
  readonly nameServers?: ReadonlyArray<string>;
  /** For the DNS lookup; 5 seconds. */
  readonly timeout?: Duration.Input;
}
