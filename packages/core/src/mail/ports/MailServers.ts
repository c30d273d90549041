import { Context, Effect, Layer } from "effect";
import type { AccountId, StoreUnavailable } from "../../shared/index.ts";
import type { NoMailServers } from "../NoMailServers.ts";

/** A mail server and how a connection to it is secured (spec 1). */
export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** `implicit`: TLS from the start. `starttls`: STARTTLS is required. `plaintext`: no TLS, only for loopback or if configured. */
  readonly tls: "implicit" | "starttls" | "plaintext";
  /**
   * `operator`: the server comes from `IMAP_URL` or `SMTP_URL`. `account`: the server was given for one account or
   * discovered. It may belong to an attacker, so the `EgressGuard` checks each connection (spec 10.4).
   */
  readonly origin: "operator" | "account";
  /** The user name at this server; by default the address. */
  readonly username?: string;
  /**
   * The SHA-256 of the DER form of the only accepted certificate, in lower-case hexadecimal digits; by default any
   * trusted certificate is accepted.
   */
  readonly certificateSha256?: string;
}

/** Returns whether a session opened at one server can be used for the other. */
export const isSameServer = (one: MailServer, other: MailServer): boolean =>
  isSamePlace(one, other) && one.origin === other.origin && one.username === other.username;

/** Returns whether a secret that one server accepted may be sent to the other, because both have the same operator. */
export const isSamePlace = (one: MailServer, other: MailServer): boolean =>
  one.host === other.host &&
  one.port === other.port &&
  one.tls === other.tls &&
  one.certificateSha256 === other.certificateSha256;

/** The servers of one account. */
export interface AccountServers {
  readonly imap: MailServer;
  readonly smtp: MailServer;
}

/** Returns an account's mail servers. Adapters call this function for each connection that they open or reuse. */
export class MailServers extends Context.Service<
  MailServers,
  {
    readonly of: (account: AccountId) => Effect.Effect<AccountServers, NoMailServers | StoreUnavailable>;
  }
>()("@postern/core/mail/ports/MailServers") {
  /** Returns these servers for every account. */
  static readonly fixed = (servers: AccountServers): Layer.Layer<MailServers> =>
    Layer.succeed(MailServers, { of: () => Effect.succeed(servers) });
}
