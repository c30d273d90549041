import type { IncomingMessage } from "node:http";
import type { PosternPorts } from "./ports/PosternPorts.ts";
import type { PosternLogger } from "./PosternLogger.ts";

/** The options of an embedded service: settings under the names of their environment variables in camelCase, and what the host provides. */
export interface PosternOptions extends Settings {
  /** Receives the log; without a logger nothing is logged. */
  readonly logger?: PosternLogger;
  /**
   * Returns the address a request is from, or nothing (answered with 401). Replaces sessions; it is called again during a
   * stream, which ends once the address differs.
   */
  readonly authenticate?: (request: IncomingMessage | Request) => MaybePromise<string | null | undefined>;
  /** Replaces parts of the service by objects of the program. */
  readonly ports?: PosternPorts;
}

type MaybePromise<A> = A | Promise<A>;

/** `docs/reference/configuration.md` says which values each accepts. Empty text counts as not set. */
export interface Settings {
  /**
   * Keeps mail in memory, for demo accounts whose passwords are known: what is sent reaches only them. For trials;
   * otherwise name mail servers by `imapUrl` and `smtpUrl`, or set `accountServers` to `any`.
   */
  readonly sandbox?: boolean;
  /** Where a bundler put `@postern/server/worker`, which parses messages in a thread of its own. */
  readonly workerUrl?: URL | string;
  /** Where clients reach the service, with the path it is mounted at: `https://example.com/mail`. */
  readonly baseUrl?: string;
  readonly trustedProxies?: string;
  readonly jwtIssuer?: string;
  readonly imapUrl?: string;
  readonly smtpUrl?: string;
  readonly mailAllowPlaintext?: boolean;
  readonly mailTlsCaFile?: string;
  readonly accountServers?: "fixed" | "any";
  readonly imapDomains?: string;
  readonly signInDomains?: string;
  readonly discoveryIspdbUrl?: string;
  readonly mailAllowedNetworks?: string;
  readonly mailHostConnections?: string;
  readonly imapConnectionsPerAccount?: number;
  readonly readCacheBytes?: number;
  readonly smtpRequireAuth?: boolean;
  readonly databaseUrl?: string;
  /** The schema of the tables in the database of `databaseUrl`: `postern`. */
  readonly databaseSchema?: string;
  /** The most connections of this process to that database, beside one that listens: 10. */
  readonly databaseConnections?: number;
  readonly sendRatePerMinute?: number;
  readonly sendRatePerDay?: number;
  readonly sendRetryDelays?: string;
  readonly sendDelayedAfter?: string;
  readonly sendExpiresAfter?: string;
  readonly senderBlocklist?: string;
  readonly senderAliases?: "verified" | "any";
  readonly dataDir?: string;
  readonly webhookRetryDelays?: string;
  readonly webhookTimeout?: string;
  readonly webhookAllowedNetworks?: string;
  readonly notifySmtpUrl?: string;
  readonly notifyFrom?: string;
  readonly credentialKeys?: string;
  readonly jwtKeys?: string;
  readonly adminKey?: string;
  readonly oauthApps?: string;
  /** The operator's name, shown to users who connect a mailbox. */
  readonly operatorName?: string;
  readonly otelExporterOtlpEndpoint?: string;
  readonly logLevel?: "trace" | "debug" | "info" | "warn" | "error" | "fatal" | "none";
}
