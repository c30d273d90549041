import type { ConnectionOptions } from "node:tls";
import { Duration } from "effect";

/** Options for the use of IMAP servers (spec 1); `MailServers` has their addresses. */
export interface ImapOptions {
  /** Maximum number of connections per account; 3 by default. */
  readonly connectionsPerAccount?: number;
  readonly timeouts?: Partial<ImapTimeouts>;
  /** Added to Node's TLS options, for example a private certificate authority. */
  readonly tlsOptions?: ConnectionOptions;
}

export interface ImapTimeouts {
  /** The time to connect, including DNS and TLS; 10 seconds by default. */
  readonly connect: Duration.Input;
  /** The time from the connection to the greeting; 10 seconds by default. */
  readonly greeting: Duration.Input;
  /** The time for each response, and for a connection to become free; 30 seconds by default. */
  readonly command: Duration.Input;
  /** The time after which an idle connection is closed; 5 minutes by default. */
  readonly idle: Duration.Input;
  /**
   * Silence after which a watching connection is checked by a NOOP; 50 seconds, because Rambler ends an IDLE after 55.
   * TCP keepalive, which imapflow starts after 5 seconds, finds a lost peer sooner.
   */
  readonly keepalive: Duration.Input;
}

/** The options with all defaults filled in; times in milliseconds. */
export interface ImapSettings extends Required<Omit<ImapOptions, "timeouts">> {
  readonly timeouts: { readonly [K in keyof ImapTimeouts]: number };
}

export const settingsOf = ({ timeouts = {}, ...options }: ImapOptions = {}): ImapSettings => ({
  ...options,
  connectionsPerAccount: options.connectionsPerAccount ?? 3,
  tlsOptions: options.tlsOptions ?? {},
  timeouts: {
    connect: Duration.toMillis(timeouts.connect ?? "10 seconds"),
    greeting: Duration.toMillis(timeouts.greeting ?? "10 seconds"),
    command: Duration.toMillis(timeouts.command ?? "30 seconds"),
    idle: Duration.toMillis(timeouts.idle ?? "5 minutes"),
    keepalive: Duration.toMillis(timeouts.keepalive ?? "50 seconds"),
  },
});
