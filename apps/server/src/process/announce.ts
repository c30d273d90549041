import { demoAccounts } from "@postern/sandbox";
import { Option, Redacted } from "effect";
import { addressOf } from "../wiring/adapters.ts";
import type { Config } from "../settings/config.ts";
import { isLoopback } from "../settings/environment.ts";

/**
 * Returns the text that is printed when the service is ready (spec 1), including the admin key that was created for a
 * sandbox.
 */
export const announcement = (config: Config, port: number, adminKey?: Redacted.Redacted): string => {
  const base = new URL(config.baseUrl);
  if (config.port === 0) base.port = String(port);
  const lines = [
    `Postern is ready on ${addressOf(base)}`,
    ...consoleLines(base),
    `  API reference  ${addressOf(base)}/docs`,
  ];
  const mail = Option.match(config.imap, {
    onNone: () =>
      config.sandbox
        ? [
            "  Mail server    none: a sandbox in memory, deleted when the service stops",
            ...demoAccounts.map(({ address, password }) => `  Sign in as     ${address}  password ${password}`),
            ...(isLoopback(config.host)
              ? []
              : [`  Open to        all who reach ${config.host}: these passwords are public`]),
          ]
        : ["  Mail server    each account's own"],
    onSome: ({ host, port, tls }) => [`  Mail server    ${host}:${port} (${tls === "implicit" ? "TLS" : tls})`],
  });
  const key = adminKey === undefined ? [] : [`  Admin key      ${Redacted.value(adminKey)}  new at every start`];
  return [...lines, ...mail, ...key].join("\n");
};

/**
 * Returns the lines about the console. Browser sign-ins are refused if the cookie would be sent unencrypted.
 */
const consoleLines = (base: URL): ReadonlyArray<string> =>
  base.protocol === "https:" || isLoopback(base.hostname.replace(/^\[|\]$/g, ""))
    ? [`  Console        ${addressOf(base)}/`]
    : [
        `  Console        browsers cannot sign in at ${addressOf(base)}, because it is not https`,
        "                 serve it over https and set BASE_URL to that address, such as https://mail.example.com",
        "                 (to try it on this machine, set BASE_URL to http://127.0.0.1 with the port)",
      ];
