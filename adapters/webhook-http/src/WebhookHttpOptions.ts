import type { ConnectionOptions } from "node:tls";
import { Duration } from "effect";
import { networksOf } from "./address-rules.ts";

/** How webhooks leave (spec 1, 7). */
export interface WebhookHttpOptions {
  /** CIDRs exempt from the rule against private addresses; `http:` is allowed to them. None unless told. */
  readonly allowedNetworks?: ReadonlyArray<string>;
  /** For the whole exchange, from the look-up of the name to the last byte read; 15 seconds. */
  readonly timeout?: Duration.Input;
  /** To look a name up, and again to connect, TLS included; 5 seconds. */
  readonly connectTimeout?: Duration.Input;
  /** Addresses of name servers, with a port if need be; the system's unless told. */
  readonly nameServers?: ReadonlyArray<string>;
  /** Added to Node's TLS options, such as a certificate authority of one's own. */
  readonly tlsOptions?: Pick<ConnectionOptions, "ca">;
}

/** The options with nothing left open; times in milliseconds. */
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
