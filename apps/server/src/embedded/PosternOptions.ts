import type { IncomingMessage } from "node:http";
import type { PosternPorts } from "./ports/PosternPorts.ts";
import type { PosternLogger } from "./PosternLogger.ts";

/**
 * The options of an embedded service: the settings, under the names of their environment variables in camelCase, and
 * the objects that the host provides.
 */
export interface PosternOptions extends Settings {
  /** Receives the log; without a logger nothing is logged. */
  readonly logger?: PosternLogger | undefined;
  /**
   * Returns the address of the account that a request may use, or nothing, which answers 401. The function replaces
   * sessions. It is called again during a stream; once the returned address differs, the stream ends.
   */
  readonly authenticate?: ((request: IncomingMessage | Request) => MaybePromise<string | null | undefined>) | undefined;
  /** Replaces parts of the service by objects of the program. */
  readonly ports?: PosternPorts | undefined;
}

type MaybePromise<A> = A | Promise<A>;

/** `docs/reference/configuration.md` lists the accepted values of each setting. Empty text and `undefined` count as not set. */
export interface Settings {
  /**
   * Keeps mail in memory, for demo accounts with known passwords; messages reach only these accounts. Intended for
   * trials; otherwise set `imapUrl` and `smtpUrl`, or set `accountServers` to `any`.
   */
  readonly sandbox?: boolean | undefined;
  /** The URL to which a bundler moved `@postern/server/worker`, which parses messages in a separate thread. */
  readonly workerUrl?: URL | string | undefined;
  /** The URL at which clients reach the service, with the path at which it is mounted: `https://example.com/mail`. */
  readonly baseUrl?: string | undefined;
  readonly trustedProxies?: string | undefined;
  readonly jwtIssuer?: string | undefined;
  readonly imapUrl?: string | undefined;
  readonly smtpUrl?: string | undefined;
  readonly mailAllowPlaintext?: boolean | undefined;
  readonly mailTlsCaFile?: string | undefined;
  readonly accountServers?: "fixed" | "any" | undefined;
  readonly imapDomains?: string | undefined;
  readonly signInDomains?: string | undefined;
  readonly follow?: "inbox" | "all" | undefined;
  readonly backfillRate?: number | undefined;
  readonly discoveryIspdbUrl?: string | undefined;
  readonly mailAllowedNetworks?: string | undefined;
  readonly mailHostConnections?: string | undefined;
  readonly imapConnectionsPerAccount?: number | undefined;
  readonly readCacheBytes?: number | undefined;
  readonly smtpRequireAuth?: boolean | undefined;
  readonly databaseUrl?: string | undefined;
  /** The schema of the tables in the database of `databaseUrl`; `postern` by default. */
  readonly databaseSchema?: string | undefined;
  /**
   * The maximum number of connections of this process to that database, besides the one that listens for notifications;
   * 10 by default.
   */
  readonly databaseConnections?: number | undefined;
  readonly sendRatePerMinute?: number | undefined;
  readonly sendRatePerDay?: number | undefined;
  readonly sendRetryDelays?: string | undefined;
  readonly sendDelayedAfter?: string | undefined;
  readonly sendExpiresAfter?: string | undefined;
  readonly senderBlocklist?: string | undefined;
  readonly senderAliases?: "verified" | "any" | undefined;
  readonly dataDir?: string | undefined;
  readonly webhookRetryDelays?: string | undefined;
  readonly webhookTimeout?: string | undefined;
  readonly webhookAllowedNetworks?: string | undefined;
  readonly notifySmtpUrl?: string | undefined;
  readonly notifyFrom?: string | undefined;
  readonly credentialKeys?: string | undefined;
  readonly jwtKeys?: string | undefined;
  readonly adminKey?: string | undefined;
  readonly oauthApps?: string | undefined;
  /** The operator's name, shown to users who connect a mailbox. */
  readonly operatorName?: string | undefined;
  /** Whether assistants may register themselves as clients (RFC 7591). */
  readonly mcpDynamicRegistration?: boolean | undefined;
  readonly otelExporterOtlpEndpoint?: string | undefined;
  readonly logLevel?: "trace" | "debug" | "info" | "warn" | "error" | "fatal" | "none" | undefined;
}
