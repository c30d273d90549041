import type { ConnectionCause } from "@postern/core/accounts";
import type { PasswordCredential } from "@postern/core/auth";
import type { MailServer } from "@postern/core/mail";
import { Context, type Effect } from "effect";

export type MailProtocol = "imap" | "smtp";

/** A server for a `ServerProbe` under test. */
export interface ProbedServer {
  readonly server: MailServer;
  /** The right credential, unless this server refuses it. */
  readonly credential: PasswordCredential;
  /** Returns everything that clients sent so far, without the TLS layer. */
  readonly received: () => string;
}

/** Servers for a `ServerProbe` under test: each accepts a credential, or fails for one cause. */
export class ProbedServers extends Context.Service<
  ProbedServers,
  {
    readonly start: (protocol: MailProtocol, behaviour: ConnectionCause | "accepts") => Effect.Effect<ProbedServer>;
  }
>()("@postern/testkit/ProbedServers") {}
