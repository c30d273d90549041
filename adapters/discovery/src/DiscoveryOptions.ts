import type { ConnectionOptions } from "node:tls";

/** Options for asking about the mail servers of a domain (spec 10.4). */
export interface DiscoveryOptions {
  /** Addresses of name servers, with an optional port; the system's by default. */
  readonly nameServers?: ReadonlyArray<string>;
  /** A database of autoconfig documents, asked for `<url>/<domain>`; none by default. Must be https. */
  readonly ispdbUrl?: string;
  /** The port at which domains publish autoconfig documents; 443. */
  readonly httpsPort?: number;
  /** Added to Node's TLS options, for example a private certificate authority. */
  readonly tlsOptions?: Pick<ConnectionOptions, "ca">;
}
