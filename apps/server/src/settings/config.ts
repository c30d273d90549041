import { isIP } from "node:net";
import type { MailServer } from "@postern/core/mail";
import { mailServer } from "./mail-server-setting.ts";
import type { OAuthApp } from "@postern/core/oauth";
import { MAIL_RETRIES, SENDER_ALIASES, type SenderPolicy, type SendRates } from "@postern/core/send";
import { duration, positiveDurations } from "./durations.ts";
import { adminKeys } from "./admin-keys.ts";
import {
  certificates,
  cidrs,
  ConfigError,
  type Environment,
  readVariable,
  isLoopback,
  networks,
  refuse,
  text,
  whole,
} from "./environment.ts";
import { oauthApps } from "./oauth-apps.ts";
import { senderPolicy } from "./sender-policy.ts";
import { recordReads } from "./stray-settings.ts";
import { type AccountConfig, accountConfig } from "./account-config.ts";
import { type WebhookConfig, webhookConfig } from "./webhook-config.ts";

export { ConfigError } from "./environment.ts";
import type { Cidr } from "@postern/http-api";
import { Effect, type LogLevel, Option, Redacted } from "effect";

/** All settings of the server (spec 1). */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly baseUrl: URL;
  readonly trustedProxies: ReadonlyArray<Cidr>;
  readonly jwtIssuer: string;
  /** Whether mail is kept in memory for demo accounts, because no setting names a mail server. */
  readonly sandbox: boolean;
  /** The IMAP server of the deployment; none in the sandbox, or if every account has its own servers. */
  readonly imap: Option.Option<MailServer>;
  readonly smtp: Option.Option<MailServer>;
  readonly accounts: AccountConfig;
  /** Certificates of authorities, in PEM, that sign certificates of mail servers, in addition to those that Node trusts. */
  readonly mailAuthorities: Option.Option<string>;
  /** CIDRs that are exempt from the rules for the addresses and ports of accounts' own mail servers. */
  readonly mailAllowedNetworks: ReadonlyArray<string>;
  readonly imapConnectionsPerAccount: number;
  /** Approximate size of the memory for pages of messages, in bytes. */
  readonly readCacheBytes: number;
  readonly smtpRequireAuth: boolean;
  /** The URL of the PostgreSQL database; none for the embedded database in `dataDir`. */
  readonly databaseUrl: Option.Option<Redacted.Redacted>;
  /** The PostgreSQL schema of all tables; by default the role's schema, usually `public`. */
  readonly databaseSchema: Option.Option<string>;
  /**
   * The maximum number of this process's connections to `DATABASE_URL`, besides the one that listens for notifications.
   */
  readonly databaseConnections: number;
  readonly sendRates: SendRates;
  readonly sendRetries: typeof MAIL_RETRIES;
  readonly senderPolicy: SenderPolicy;
  readonly senderAliases: (typeof SENDER_ALIASES)[number];
  readonly webhooks: WebhookConfig;
  /** The folder of the embedded database, its uploads and generated keys; unused if `databaseUrl` is set. */
  readonly dataDir: string;
  /** The JSON of `JWT_KEYS`; none if the keys are generated into `dataDir`. */
  readonly jwtKeys: Option.Option<Redacted.Redacted>;
  /** The text of `CREDENTIAL_KEYS`; none if the keys are generated into `dataDir`. */
  readonly credentialKeys: Option.Option<Redacted.Redacted>;
  /** The operator's keys: none, one, or two while they are rotated. */
  readonly adminKeys: ReadonlyArray<Redacted.Redacted>;
  /** The apps of `OAUTH_APPS`. */
  readonly oauthApps: ReadonlyArray<OAuthApp>;
  /** The operator's name, shown to users who connect a mailbox for an application. */
  readonly operatorName: string | null;
  /** Whether assistants may register themselves as clients (RFC 7591). */
  readonly dynamicRegistration: boolean;
  /** The URL to which traces and metrics are sent; none if they are not sent. */
  readonly otlpEndpoint: Option.Option<URL>;
  /**
   * The URL to which the host's bundler moved the worker that parses messages. By default Postern searches for the
   * worker.
   */
  readonly workerUrl?: URL | string | undefined;
  readonly logLevel: LogLevel.LogLevel;
  readonly logFormat: "pretty" | "json";
  /** Warnings about unknown variables that look like misspelt settings. */
  readonly strays: ReadonlyArray<string>;
}

/** Reads the settings from the environment. No other part of Postern reads the environment. */
export const config: Effect.Effect<Config, ConfigError> = Effect.suspend(() =>
  readConfig(process.env, process.stdout.isTTY === true),
);

/** The environment for `npm run mcp`, which uses no setting of the service. */
export const { env: environment } = process;

/** Returns the names of all settings. */
export const settingNames = (): ReadonlySet<string> => {
  const { env, asked } = recordReads({});
  readSettings(env, false);
  return asked;
};

/** Returns the settings of an environment. */
export const readConfig = (environment: Environment, terminal: boolean): Effect.Effect<Config, ConfigError> =>
  Effect.try({
    try: () => {
      const { env, strays } = recordReads(environment);
      return { ...readSettings(env, terminal), strays: strays() };
    },
    catch: (error) => {
      if (error instanceof ConfigError) return error;
      throw error;
    },
  });

const readSettings = (env: Environment, terminal: boolean) => {
  const host = text(env, "HOST", "127.0.0.1");
  const port = whole(env, "PORT", 3000, 0, 65535);
  const allowPlaintext = oneOf(env, "MAIL_ALLOW_PLAINTEXT", "false", ["true", "false"]) === "true";
  const imap = mailServer(env, "IMAP_URL", "imap", { implicit: 993, plain: 143 }, allowPlaintext);
  const smtp = mailServer(env, "SMTP_URL", "smtp", { implicit: 465, plain: 587 }, allowPlaintext);
  if (Option.isSome(smtp) && Option.isNone(imap)) {
    throw refuse("IMAP_URL", "is not set", "imap://host or imaps://host, because SMTP_URL is set");
  }
  if (Option.isSome(imap) && Option.isNone(smtp)) {
    throw refuse("SMTP_URL", "is not set", "smtp://host or smtps://host, because IMAP_URL is set");
  }
  const accounts = accountConfig(env, Option.all({ imap, smtp }));
  const sandbox = accounts.mode === "fixed" && Option.isNone(accounts.servers);
  const base = baseUrl(env, `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`);
  const isPrivate = isLoopback(host) && isLoopback(base.hostname.replace(/^\[|\]$/g, ""));
  return {
    sandbox,
    host,
    port,
    baseUrl: base,
    trustedProxies: cidrs(env, "TRUSTED_PROXIES"),
    jwtIssuer: text(env, "JWT_ISSUER", "postern"),
    imap,
    smtp,
    accounts,
    mailAuthorities: certificates(env, "MAIL_TLS_CA_FILE"),
    mailAllowedNetworks: networks(env, "MAIL_ALLOWED_NETWORKS"),
    imapConnectionsPerAccount: whole(env, "IMAP_CONNECTIONS_PER_ACCOUNT", 3, 2, 100),
    readCacheBytes: whole(env, "READ_CACHE_BYTES", 64 * 1024 * 1024, 0, 999_999_999_999),
    smtpRequireAuth: oneOf(env, "SMTP_REQUIRE_AUTH", "true", ["true", "false"]) === "true",
    databaseUrl: databaseUrl(env),
    databaseSchema: databaseSchema(env),
    databaseConnections: whole(env, "DATABASE_CONNECTIONS", 10, 2, 1000),
    sendRetries: {
      delays: positiveDurations(env, "SEND_RETRY_DELAYS", MAIL_RETRIES.delays),
      delayedAfter: duration(env, "SEND_DELAYED_AFTER", MAIL_RETRIES.delayedAfter),
      expiresAfter: duration(env, "SEND_EXPIRES_AFTER", MAIL_RETRIES.expiresAfter),
    },
    sendRates: {
      perMinute: whole(env, "SEND_RATE_PER_MINUTE", 60, 1, 999_999_999),
      perDay: whole(env, "SEND_RATE_PER_DAY", 1000, 1, 999_999_999),
    },
    senderPolicy: senderPolicy(env),
    senderAliases: oneOf(env, "SENDER_ALIASES", "verified", SENDER_ALIASES),
    webhooks: webhookConfig(env, { allowPlaintext, allowLoopback: sandbox && isPrivate }),
    dataDir: text(env, "DATA_DIR", "./data"),
    jwtKeys: sharedSecret(env, "JWT_KEYS"),
    credentialKeys: sharedSecret(env, "CREDENTIAL_KEYS"),
    adminKeys: adminKeys(env),
    oauthApps: oauthApps(env),
    dynamicRegistration: oneOf(env, "MCP_DYNAMIC_REGISTRATION", "false", ["true", "false"]) === "true",
    operatorName: readVariable(env, "OPERATOR_NAME") ?? null,
    otlpEndpoint: httpUrl(env, "OTEL_EXPORTER_OTLP_ENDPOINT"),
    logLevel: LOG_LEVELS[oneOf(env, "LOG_LEVEL", "info", LEVEL_NAMES)],
    logFormat: oneOf(env, "LOG_FORMAT", terminal ? "pretty" : "json", ["pretty", "json"]),
  };
};

const LOG_LEVELS = {
  trace: "Trace",
  debug: "Debug",
  info: "Info",
  warn: "Warn",
  error: "Error",
  fatal: "Fatal",
  none: "None",
} as const satisfies Record<string, LogLevel.LogLevel>;
const LEVEL_NAMES = Object.keys(LOG_LEVELS) as ReadonlyArray<keyof typeof LOG_LEVELS>;

const secret = (env: Environment, name: string): Option.Option<Redacted.Redacted> =>
  Option.map(Option.fromUndefinedOr(readVariable(env, name)), (value) => Redacted.make(value));

/** Returns a secret. Processes that share a database must share keys, so no process can generate them. */
const sharedSecret = (env: Environment, name: string): Option.Option<Redacted.Redacted> => {
  const value = secret(env, name);
  if (Option.isNone(value) && readVariable(env, "DATABASE_URL") !== undefined) {
    throw refuse(
      name,
      "is not set",
      "the keys that all processes on DATABASE_URL share; `npm run keys:new` or `npx postern keys:new` prints some",
    );
  }
  return value;
};

/** Returns the URL of the database. The error omits the value, because it contains a password. */
const databaseUrl = (env: Environment): Option.Option<Redacted.Redacted> => {
  const value = secret(env, "DATABASE_URL");
  const url = Option.map(value, (value) => URL.parse(Redacted.value(value)));
  if (Option.exists(url, (url) => url === null || !/^postgres(ql)?:$/.test(url.protocol))) {
    throw refuse("DATABASE_URL", "cannot be used", "postgres://user:password@host:port/database");
  }
  return value;
};

const databaseSchema = (env: Environment): Option.Option<string> => {
  const value = readVariable(env, "DATABASE_SCHEMA");
  if (value !== undefined && !/^(?!pg_)[a-z_][a-z0-9_]{0,39}$/.test(value)) {
    throw refuse("DATABASE_SCHEMA", "cannot be used", "up to 40 lower-case letters, digits and underscores, not pg_…");
  }
  return Option.fromUndefinedOr(value);
};

const oneOf = <const Choice extends string>(
  env: Environment,
  name: string,
  otherwise: Choice,
  choices: ReadonlyArray<Choice>,
): Choice => {
  const value = readVariable(env, name) ?? otherwise;
  const choice = choices.find((choice) => choice === value.toLowerCase());
  if (choice === undefined) throw refuse(name, `is ${JSON.stringify(value)}`, choices.join(", "));
  return choice;
};

const baseUrl = (env: Environment, otherwise: string): URL => {
  const value = readVariable(env, "BASE_URL") ?? otherwise;
  const url = URL.parse(value);
  if (url !== null && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username) return url;
  throw refuse("BASE_URL", `is ${JSON.stringify(value)}`, "an http or https address such as https://example.com/mail");
};

const httpUrl = (env: Environment, name: string): Option.Option<URL> => {
  const value = readVariable(env, name);
  if (value === undefined) return Option.none();
  const url = URL.parse(value);
  if (url !== null && /^https?:$/.test(url.protocol)) return Option.some(url);
  throw refuse(name, `is ${JSON.stringify(value)}`, "an http or https address such as http://127.0.0.1:4318");
};
