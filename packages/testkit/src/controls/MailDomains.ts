import type { NamedServers } from "@postern/core/accounts";
import { Context, type Effect } from "effect";

/** The mail servers that a domain publishes; a source that is not given publishes nothing. */
export interface MailDomain {
  readonly autoconfig?: NamedServers;
  readonly srv?: NamedServers;
  readonly ispdb?: NamedServers;
  /** The hosts that take its mail, the preferred first. */
  readonly mx?: ReadonlyArray<string>;
}

/** Domains for a `DiscoverySources` under test. */
export class MailDomains extends Context.Service<
  MailDomains,
  {
    /** Returns a new domain that publishes these servers. */
    readonly publish: (domain: MailDomain) => Effect.Effect<string>;
    /** Returns a new domain whose servers fail or are silent, DNS servers included. */
    readonly broken: Effect.Effect<string>;
  }
>()("@postern/testkit/MailDomains") {}
