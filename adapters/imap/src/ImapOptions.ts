import type { ConnectionOptions } from "node:tls";
import { Duration } from "effect";

/** How IMAP servers are used (spec 1); `MailServers` says where they are. */
export interface ImapOptions {
  /** The most an account ever has open at a time; 3 unless told. */
  readonly connectionsPerAccount?: number;
  readonly timeouts?: Partial<ImapTimeouts>;
  /** Added to Node's TLS options, such as a certificate authority of one's own. */
  readonly tlsOptions?: ConnectionOptions;
}

export interface ImapTimeouts {
  /** To reach the server, DNS and TLS included; 10 seconds. */
  readonly connect: Duration.Input;
  /** From there to its first word; 10 seconds. */
  readonly greeting: Duration.Input;
  /** For each answer, and for a connection to become free; 30 seconds. */
  readonly command: Duration.Input;
  /** How long an idle connection stays open; 5 minutes. */
  readonly idle: Duration.Input;
  /**
   * How long a watching connection may say nothing before it is asked whether it lives; 60 seconds. A peer that is gone
   * is found out sooner, by TCP's own keepalive, which imapflow has begin after 5 seconds.
   */
  readonly keepalive: Duration.Input;
}

/** The options with nothing left open; times in milliseconds. */
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
    keepalive: Duration.toMillis(timeouts.keepalive ?? "60 seconds"),
  },
});
