import type { ConnectionOptions } from "node:tls";
import { Duration } from "effect";

/** Options for sending webhooks (spec 1, 7). */
export interface WebhookHttpOptions {
  /** Whether `http:` is accepted, at addresses that the operator exempted; false by default. */
  readonly allowHttp?: boolean;
  /** The timeout of the whole exchange, from the DNS lookup to the last byte read; 15 seconds by default. */
  readonly timeout?: Duration.Input;
  /** The timeout of the connection, including TLS; 5 seconds by default. */
  readonly connectTimeout?: Duration.Input;
  /** Added to Node's TLS options, for example a private certificate authority. */
  readonly tlsOptions?: Pick<ConnectionOptions, "ca">;
}

/** The options with all defaults filled in; times in milliseconds. */
export interface WebhookHttpSettings {
  readonly allowHttp: boolean;
  readonly timeout: number;
  readonly connectTimeout: number;
  readonly tlsOptions: Pick<ConnectionOptions, "ca">;
}

export const settingsOf = (options: WebhookHttpOptions): WebhookHttpSettings => ({
  allowHttp: options.allowHttp ?? false,
  timeout: Duration.toMillis(options.timeout ?? "15 seconds"),
  connectTimeout: Duration.toMillis(options.connectTimeout ?? "5 seconds"),
  tlsOptions: options.tlsOptions ?? {},
});
