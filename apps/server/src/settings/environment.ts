import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { type Cidr, cidrOf } from "@postern/http-api";
import { Data, Option } from "effect";

export type Environment = Readonly<Record<string, string | undefined>>;

/** An invalid setting, described in one line: its name, its value and the values it accepts. */
export class ConfigError extends Data.TaggedError("ConfigError")<{ readonly message: string }> {}

export const refuse = (name: string, got: string, takes: string) =>
  new ConfigError({ message: `${name} ${got}; it takes ${takes}.` });

/** Returns a variable; an empty one counts as not set, because shells and compose files leave unset variables empty. */
export const readVariable = (env: Environment, name: string): string | undefined => env[name] || undefined;

export const text = (env: Environment, name: string, otherwise: string): string => readVariable(env, name) ?? otherwise;

export const cidrs = (env: Environment, name: string): ReadonlyArray<Cidr> =>
  (readVariable(env, name)?.split(",") ?? []).map((text) => {
    const cidr = cidrOf(text.trim());
    if (cidr === undefined)
      throw refuse(name, `has ${JSON.stringify(text)}`, "address blocks such as 10.0.0.0/8,fd00::/8");
    return cidr;
  });

/** Returns the whole number of a setting. */
export const whole = (env: Environment, name: string, otherwise: number, least: number, most: number): number => {
  const value = readVariable(env, name);
  if (value === undefined) return otherwise;
  if (/^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most) return Number(value);
  throw refuse(name, `is ${JSON.stringify(value)}`, `a whole number from ${least} to ${most}`);
};

/** Returns the networks of a setting, as text. */
export const networks = (env: Environment, name: string, otherwise = ""): ReadonlyArray<string> =>
  cidrs({ [name]: text(env, name, otherwise) }, name).map(([address, bits]) => `${address.toString()}/${bits}`);

const MILLIS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Returns the milliseconds of a duration such as `15s`; undefined for other text. */
export const millisOf = (value: string): number | undefined => {
  const [, digits, unit] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(value.trim()) ?? [];
  return digits === undefined ? undefined : Number(digits) * MILLIS[unit as keyof typeof MILLIS];
};

export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));

/** Returns the PEM certificates in the file that a setting names. */
export const certificates = (env: Environment, name: string): Option.Option<string> => {
  const file = readVariable(env, name);
  if (file === undefined) return Option.none();
  try {
    const pem = readFileSync(file, "utf8");
    const each = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    for (const one of each) void new X509Certificate(one);
    if (each.length > 0) return Option.some(each.join("\n"));
  } catch (error) {
    throw refuse(name, `is ${JSON.stringify(file)}, which cannot be read (${(error as Error).message})`, TAKES_PEM);
  }
  throw refuse(name, `is ${JSON.stringify(file)}, which has no certificate in it`, TAKES_PEM);
};

const TAKES_PEM = "a file of one or more certificates in PEM";
