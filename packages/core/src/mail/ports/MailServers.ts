import { Context, Effect, Layer } from "effect";
import type { AccountId, StoreUnavailable } from "../../shared/index.ts";
import type { NoMailServers } from "../NoMailServers.ts";

/** A mail server and how a connection to it is secured (spec 1). */
export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** `implicit`: TLS at once. `starttls`: required, never skipped. `plaintext`: for loopback, or where it is configured. */
  readonly tls: "implicit" | "starttls" | "plaintext";
}

/** The servers of one account. */
export interface AccountServers {
  readonly imap: MailServer;
  readonly smtp: MailServer;
}

/** Tells which servers an account lives on. Adapters ask for each connection they open or take up again. */
export class MailServers extends Context.Service<
  MailServers,
  {
    readonly of: (account: AccountId) => Effect.Effect<AccountServers, NoMailServers | StoreUnavailable>;
  }
>()("@postern/core/mail/ports/MailServers") {
  /** Every account lives on these servers. */
  static readonly fixed = (servers: AccountServers): Layer.Layer<MailServers> =>
    Layer.succeed(MailServers, { of: () => Effect.succeed(servers) });
}
