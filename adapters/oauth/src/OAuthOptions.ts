import type { ConnectionOptions } from "node:tls";
import type { Duration } from "effect";

/** Options for requests to OAuth2 providers (spec 11). */
export interface OAuthOptions {
  /** The timeout of one operation, from the DNS lookup to the last byte read; 20 seconds by default. */
  readonly timeout?: Duration.Input;
  /** Added to Node's TLS options, for example a private certificate authority. */
  readonly tlsOptions?: Pick<ConnectionOptions, "ca" | "secureContext">;
}
