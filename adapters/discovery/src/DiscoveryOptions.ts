import type { ConnectionOptions } from "node:tls";

/** Options for the discovery of a domain's mail servers (spec 10.4). */
export interface DiscoveryOptions {
  /** Addresses of name servers, with an optional port; the system's by default. */
  readonly nameServers?: ReadonlyArray<string>;
  /** The https URL of a database of autoconfig documents, which are fetched from `<url>/<domain>`; none by default. */
  readonly ispdbUrl?: string;
  /** The port at which domains publish autoconfig documents; 443 by default. */
  readonly httpsPort?: number;
  /** Added to Node's TLS options, for example a private certificate authority. */
  readonly tlsOptions?: Pick<ConnectionOptions, "ca">;
}
