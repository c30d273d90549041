import { RETRY_LADDER, type RetryLadder } from "@postern/core/shared";
import { Option, Redacted } from "effect";
import { duration, durations } from "./durations.ts";
import { type Environment, readVariable, isLoopback, networks, refuse, text } from "./environment.ts";

/** The SMTP server that sends notices to endpoint owners. */
export interface NotifyServer {
  readonly host: string;
  readonly port: number;
  readonly tls: "implicit" | "starttls" | "plaintext";
  readonly credential: { readonly username: string; readonly password: Redacted.Redacted } | null;
}

/** The settings for webhooks (spec 1). */
export interface WebhookConfig {
  /** The waits between attempts in milliseconds. */
  readonly retryDelays: RetryLadder;
  /** The time limit of a whole exchange in milliseconds. */
  readonly timeout: number;
  /** CIDRs that are exempt from the rule against private addresses. */
  readonly allowedNetworks: ReadonlyArray<string>;
  /** The SMTP server for notices; none if notices are sent through the account's own SMTP server. */
  readonly notify: Option.Option<NotifyServer>;
  /** The sender of notices; none if each notice is sent by the account that receives it. */
  readonly notifyFrom: Option.Option<string>;
}

/** Returns the settings for webhooks; throws `ConfigError`. */
export const webhookConfig = (
  env: Environment,
  { allowPlaintext, allowLoopback }: { readonly allowPlaintext: boolean; readonly allowLoopback: boolean },
): WebhookConfig => {
  const notify = notifyServer(env, allowPlaintext);
  const notifyFrom = notifyAddress(env);
  if (Option.isSome(notify) && Option.isNone(notifyFrom)) {
    throw refuse("NOTIFY_FROM", "is not set", "the sender address of notices, because NOTIFY_SMTP_URL is set");
  }
  return {
    retryDelays: durations(env, "WEBHOOK_RETRY_DELAYS", RETRY_LADDER),
    timeout: duration(env, "WEBHOOK_TIMEOUT", 15_000),
    allowedNetworks: networks(env, "WEBHOOK_ALLOWED_NETWORKS", allowLoopback ? LOOPBACK : ""),
    notify,
    notifyFrom,
  };
};

/**
 * The networks exempted in the sandbox, whose users run a receiver on the same machine; other machines cannot reach a
 * service on loopback.
 */
const LOOPBACK = "127.0.0.0/8,::1/128";

/** Returns the server for notices. The error omits the value, because it contains a password. */
const notifyServer = (env: Environment, allowPlaintext: boolean): Option.Option<NotifyServer> => {
  const value = readVariable(env, "NOTIFY_SMTP_URL");
  if (value === undefined) return Option.none();
  const url = URL.parse(value);
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === "") {
    throw refuse("NOTIFY_SMTP_URL", "cannot be used", "smtps://user:password@host[:port] or smtp://…");
  }
  const implicit = url.protocol === "smtps:";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const [username, password] = [decodePart(url.username), decodePart(url.password)];
  const credential = username === "" ? null : { username, password: Redacted.make(password) };
  return Option.some({
    host,
    port: url.port === "" ? (implicit ? 465 : 587) : Number(url.port),
    tls: implicit ? "implicit" : allowPlaintext || isLoopback(host) ? "plaintext" : "starttls",
    credential,
  });
};

const decodePart = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    throw refuse("NOTIFY_SMTP_URL", "cannot be used", "a user and password with reserved characters percent-encoded");
  }
};

const notifyAddress = (env: Environment): Option.Option<string> => {
  const value = text(env, "NOTIFY_FROM", "").trim();
  if (value === "") return Option.none();
  if (/^[^\s@<>,;]+@[^\s@<>,;]+$/.test(value)) return Option.some(value);
  throw refuse("NOTIFY_FROM", `is ${JSON.stringify(value)}`, "an e-mail address such as postern@example.com");
};
