import { Context, type Effect } from "effect";
import type { NamedServer } from "../discovery/NamedServer.ts";
import type { SignIn } from "../discovery/SignIn.ts";

/** The mail servers that one source names for a domain, the preferred ones first; empty if the source names none. */
export interface NamedServers {
  readonly imap: ReadonlyArray<NamedServer>;
  readonly smtp: ReadonlyArray<NamedServer>;
  /** The kinds of sign-in of the first IMAP server; empty if the source does not say. */
  readonly signIn: ReadonlyArray<SignIn>;
}

/** The result for a source that names no server, cannot be reached or returns an invalid answer. */
export const NO_SERVERS: NamedServers = { imap: [], smtp: [], signIn: [] };

/**
 * Reads public information about the mail servers of a domain (A-label form). Sends nothing about a user. No call
 * fails: a source that cannot answer returns no server. The returned servers are unverified.
 */
export class DiscoverySources extends Context.Service<
  DiscoverySources,
  {
    /** Returns the servers in the autoconfig document that the domain publishes over https. */
    readonly autoconfig: (domain: string) => Effect.Effect<NamedServers>;
    /** Returns the servers in the SRV records of the domain (RFC 6186, RFC 8314). */
    readonly srv: (domain: string) => Effect.Effect<NamedServers>;
    /** Returns the entry of the operator's provider database; none if no database is configured. */
    readonly ispdb: (domain: string) => Effect.Effect<NamedServers>;
    /** Returns the domain's MX hosts in lower case, the preferred ones first; empty if there are none. */
    readonly mx: (domain: string) => Effect.Effect<ReadonlyArray<string>>;
  }
>()("@postern/core/accounts/ports/DiscoverySources") {}
