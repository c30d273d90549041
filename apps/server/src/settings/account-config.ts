import type { HostLimit } from "@postern/core/accounts";
import type { AccountServers } from "@postern/core/mail";
import { hostNameOf } from "@postern/core/shared";
import { Option } from "effect";
import { ConfigError, type Environment, readVariable, millisOf, refuse, text, whole } from "./environment.ts";

/** The settings of the accounts' mail servers (spec 10.4). */
export interface AccountConfig {
  readonly mode: "fixed" | "any";
  /** The servers of the deployment; none in the sandbox, or if every account has its own servers. */
  readonly servers: Option.Option<AccountServers>;
  readonly domains: ReadonlyArray<string>;
  readonly signInDomains: ReadonlyArray<string>;
  /** The followed folders of an account without a setting of its own. */
  readonly follow: "inbox" | "all";
  /** The number of arrivals of an account that are announced per second after an outage. */
  readonly backfillRate: number;
  /** The https URL of the ISPDB, which is queried for the servers of a domain. */
  readonly ispdbUrl: Option.Option<string>;
  /** The maximum number of connections of all processes to one host of accounts' own mail servers. */
  readonly hostConnections: HostLimit;
}

/** Returns the settings of accounts, given the servers of `IMAP_URL` and `SMTP_URL`. */
export const accountConfig = (env: Environment, servers: Option.Option<AccountServers>): AccountConfig => {
  const mode = (readVariable(env, "ACCOUNT_SERVERS") ?? "fixed").toLowerCase();
  if (mode !== "fixed" && mode !== "any") throw refuse("ACCOUNT_SERVERS", `is ${JSON.stringify(mode)}`, "fixed or any");
  const domains = domainsOf(env, "IMAP_DOMAINS", []);
  const signInDomains = domainsOf(env, "SIGN_IN_DOMAINS", ["*"]);
  for (const [name, list] of [
    ["IMAP_DOMAINS", domains],
    ["SIGN_IN_DOMAINS", signInDomains],
  ] as const) {
    if (mode === "fixed" && list.length > 0) {
      throw new ConfigError({ message: `${name} is set, but only ACCOUNT_SERVERS=any uses it.` });
    }
  }
  if (domains.length > 0 && Option.isNone(servers)) {
    throw new ConfigError({ message: "IMAP_DOMAINS is set, but IMAP_URL, on which these domains live, is not." });
  }
  const follow = (readVariable(env, "FOLLOW") ?? "inbox").toLowerCase();
  if (follow !== "inbox" && follow !== "all") throw refuse("FOLLOW", `is ${JSON.stringify(follow)}`, "inbox or all");
  return {
    mode,
    servers,
    domains,
    signInDomains,
    follow,
    backfillRate: whole(env, "BACKFILL_RATE", 50, 1, 10_000),
    ispdbUrl: ispdbUrl(env),
    hostConnections: hostConnections(env),
  };
};

const domainsOf = (env: Environment, name: string, alsoTakes: ReadonlyArray<string>): ReadonlyArray<string> =>
  (readVariable(env, name)?.split(",") ?? []).map((text) => {
    const domain = text.trim();
    if (alsoTakes.includes(domain)) return domain;
    return Option.getOrThrowWith(hostNameOf(domain), () =>
      refuse(name, `has ${JSON.stringify(domain)}`, ["domains separated by commas", ...alsoTakes].join(", or ")),
    );
  });

const hostConnections = (env: Environment): HostLimit => {
  const value = text(env, "MAIL_HOST_CONNECTIONS", "50/10s");
  const [, count = "", window = ""] = /^([1-9]\d{0,5})\/(\w+)$/.exec(value.trim()) ?? [];
  const windowMillis = millisOf(window);
  if (count !== "" && windowMillis !== undefined && windowMillis > 0)
    return { connections: Number(count), windowMillis };
  throw refuse("MAIL_HOST_CONNECTIONS", `is ${JSON.stringify(value)}`, "a number and a duration such as 50/10s");
};

const ispdbUrl = (env: Environment): Option.Option<string> => {
  const value = readVariable(env, "DISCOVERY_ISPDB_URL");
  if (value === undefined) return Option.none();
  if (URL.parse(value)?.protocol === "https:") return Option.some(value.replace(/\/$/, ""));
  throw refuse(
    "DISCOVERY_ISPDB_URL",
    `is ${JSON.stringify(value)}`,
    "an https address such as https://autoconfig.example.org/v1.1",
  );
};
