import type { ConnectionOptions } from "node:tls";
import { Duration } from "effect";

/** Options for the use of SMTP servers (spec 1, 6); `MailServers` has their addresses. */
export interface SmtpOptions {
  /** Maximum number of connections per account; 3 by default. */
  readonly connectionsPerAccount?: number;
  /** Whether to refuse a server that offers no AUTH instead of using it without sign-in; true by default. */
  readonly requireAuth?: boolean;
  readonly timeouts?: Partial<SmtpTimeouts>;
  /** Added to Node's TLS options, for example a private certificate authority. */
  readonly tlsOptions?: ConnectionOptions;
}

export interface SmtpTimeouts {
  /** The time to connect, including DNS and TLS; 30 seconds by default. */
  readonly connect: Duration.Input;
  /** The time for each reply and each block of data; 5 minutes by default (RFC 5321, 4.5.3.2). */
  readonly command: Duration.Input;
  /** The time for the reply to the dot; 10 minutes by default. */
  readonly dot: Duration.Input;
  /** How long an idle connection stays open; 30 seconds by default. */
  readonly idle: Duration.Input;
}

/** The options with all defaults filled in; times in milliseconds. */
export interface SmtpSettings extends Required<Omit<SmtpOptions, "timeouts">> {
  readonly timeouts: { readonly [K in keyof SmtpTimeouts]: number };
}

export const settingsOf = ({ timeouts = {}, ...options }: SmtpOptions = {}): SmtpSettings => ({
  ...options,
  connectionsPerAccount: options.connectionsPerAccount ?? 3,
  requireAuth: options.requireAuth ?? true,
  tlsOptions: options.tlsOptions ?? {},
  timeouts: {
    connect: Duration.toMillis(timeouts.connect ?? "30 seconds"),
    command: Duration.toMillis(timeouts.command ?? "5 minutes"),
    dot: Duration.toMillis(timeouts.dot ?? "10 minutes"),
    idle: Duration.toMillis(timeouts.idle ?? "30 seconds"),
  },
});
