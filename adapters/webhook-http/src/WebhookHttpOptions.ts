import type { ConnectionOptions } from "node:tls";
import { Duration } from "effect";
import { networksOf } from "./address-rules.ts";

/** Options for sending webhooks (spec 1, 7). */
export interface WebhookHttpOptions {
  /** CIDRs exempt from the ban of private addresses, also reachable by `http:`; none by default. */
  readonly allowedNetworks?: ReadonlyArray<string>;
  /** For the whole exchange, from the DNS lookup to the last byte read; 15 seconds. */
  readonly timeout?: Duration.Input;
  /** For the DNS lookup, and again for the connection, TLS included; 5 seconds. */
  readonly connectTimeout?: Duration.Input;
  /** Addresses of name servers, with an optional port; the system's by default. */
  readonly nameServers?: ReadonlyArray<string>;
  /** Added to Node's TLS options, for example a private certificate authority. */
  readonly tlsOptions?: Pick<ConnectionOptions, "ca">;
}

/** The options with all defaults filled in; times in milliseconds. */
export interface WebhookHttpSettings {
  readonly allowedNetworks: ReturnType<typeof networksOf>;
  readonly timeout: number;
  readonly connectTimeout: number;
  readonly nameServers: ReadonlyArray<string>;
  readonly tlsOptions: Pick<ConnectionOptions, "ca">;
}

export const settingsOf = (options: WebhookHttpOptions): WebhookHttpSettings => ({
  allowedNetworks: networksOf(options.allowedNetworks ?? []),
  timeout: Duration.toMillis(options.timeout ?? "15 seconds"),
  connectTimeout: Duration.toMillis(options.connectTimeout ?? "5 seconds"),
  nameServers: options.nameServers ?? [],
  tlsOptions: options.tlsOptions ?? {},
});
