import type { ConnectionOptions } from "node:tls";
import { Duration } from "effect";

/** How SMTP servers are used (spec 1, 6); `MailServers` says where they are. */
export interface SmtpOptions {
  /** The most an account ever has open at a time; 3 unless told. */
  readonly connectionsPerAccount?: number;
  /** Whether a server that offers no AUTH is refused rather than used without signing in; true unless told. */
  readonly requireAuth?: boolean;
  readonly timeouts?: Partial<SmtpTimeouts>;
  /** Added to Node's TLS options, such as a certificate authority of one's own. */
  readonly tlsOptions?: ConnectionOptions;
}

export interface SmtpTimeouts {
  /** To reach the server, DNS and TLS included; 30 seconds. */
  readonly connect: Duration.Input;
  /** For each answer and each block of data; 5 minutes (RFC 5321, 4.5.3.2). */
  readonly command: Duration.Input;
  /** For the answer to the dot; 10 minutes. */
  readonly dot: Duration.Input;
  /** How long an idle connection stays open; 30 seconds. */
  readonly idle: Duration.Input;
}

/** The options with nothing left open; times in milliseconds. */
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
