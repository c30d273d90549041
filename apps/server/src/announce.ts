import { demoAccounts } from "@postern/memory";
import { Option } from "effect";
import type { Config } from "./config.ts";

/** What a person at the terminal wants to know once the service is up (decisions 1). */
export const announcement = (config: Config, port: number): string => {
  const base = new URL(config.baseUrl);
  if (config.port === 0) base.port = String(port);
  const lines = [
    `Postern is ready on ${base.origin}`,
    `  Console        ${base.origin}/`,
    `  API reference  ${base.origin}/docs`,
  ];
  const mail = Option.match(config.imap, {
    onNone: () => [
      "  Mail server    none: a sandbox in memory, gone when this ends",
      ...demoAccounts.map(({ address, password }) => `  Sign in as     ${address}  password ${password}`),
    ],
    onSome: ({ host, port, tls }) => [`  Mail server    ${host}:${port} (${tls === "implicit" ? "TLS" : tls})`],
  });
  return [...lines, ...mail].join("\n");
};
