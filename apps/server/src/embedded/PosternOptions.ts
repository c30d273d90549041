import type { IncomingMessage } from "node:http";
import type { PosternLogger } from "./PosternLogger.ts";

/** What to build the service from: settings under the names of their environment variables in camelCase, and the host's part. */
export interface PosternOptions extends Settings {
  /** Takes the log; without it nothing is logged. */
  readonly logger?: PosternLogger;
  /**
   * Tells which address a request is from; nothing where it is from none (401). Decides in place of sessions; it is asked
   * again during a stream, which ends once the answer is another one.
   */
  readonly authenticate?: (request: IncomingMessage | Request) => MaybePromise<string | null | undefined>;
}

type MaybePromise<A> = A | Promise<A>;

/** `docs/reference/configuration.md` says what each takes. Without `imapUrl` the mail server is the sandbox. */
export interface Settings {
  /** Where clients reach the service, with the path it is mounted at: `https://example.com/mail`. */
  readonly baseUrl?: string;
  readonly trustedProxies?: string;
  readonly jwtIssuer?: string;
  readonly imapUrl?: string;
  readonly smtpUrl?: string;
  readonly mailAllowPlaintext?: boolean;
  readonly mailTlsCaFile?: string;
  readonly imapConnectionsPerAccount?: number;
  readonly smtpRequireAuth?: boolean;
  readonly databaseUrl?: string;
  readonly sendRatePerMinute?: number;
  readonly sendRatePerDay?: number;
  readonly senderBlocklist?: string;
  readonly dataDir?: string;
  readonly webhookRetryDelays?: string;
  readonly webhookTimeout?: string;
  readonly webhookAllowedNetworks?: string;
  readonly notifySmtpUrl?: string;
  readonly notifyFrom?: string;
  readonly credentialKeys?: string;
  readonly jwtKeys?: string;
  readonly otelExporterOtlpEndpoint?: string;
  readonly logLevel?: "trace" | "debug" | "info" | "warn" | "error" | "fatal" | "none";
}
