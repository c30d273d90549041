import { readFileSync } from "node:fs";
import { KNOWN_PROVIDERS, type NamedServer, type SignIn } from "@postern/core/accounts";
import { expect, it } from "vitest";

const page = readFileSync(new URL("../../../docs/reference/providers-known.md", import.meta.url), "utf8");

const server = ({ host, port, tls, username }: NamedServer): string =>
  `${host}:${port}${tls === "starttls" ? " STARTTLS" : ""}${username === undefined ? "" : `, user \`${username}\``}`;

const kind = (signIn: SignIn): string => {
  if (signIn.kind === "oauth2") return `OAuth 2.0 (${signIn.provider})`;
  return signIn.kind === "app_password" ? `[app password](${signIn.helpPage})` : "password";
};

const row = ({ id, name, domains, mx, imap, smtp, signIn, note = "" }: (typeof KNOWN_PROVIDERS)[number]): string => {
  const of = [...domains, ...mx.map((domain) => `MX ${domain}`)].join(", ");
  return `| \`${id}\` | ${name} | ${of} | ${server(imap)} | ${server(smtp)} | ${signIn.map(kind).join(", ")} | ${note} |`;
};

it("docs/reference/providers-known.md has a row for every built-in provider, and no other", () => {
  expect(page.split("\n").filter((line) => line.startsWith("| `"))).toEqual(KNOWN_PROVIDERS.map(row));
});
