import { Option } from "effect";
import type { MailServer } from "../../mail/index.ts";
import { type AccountId, hostNameOf } from "../../shared/index.ts";
import { domainOf } from "../operator-servers.ts";
import type { NamedServer } from "./NamedServer.ts";

const PLACEHOLDER = /%[A-Z]+%/g;
const USERNAME = /^[^\p{Cc}\p{Cs}]{1,320}$/u;

/**
 * Returns a named server for one address, with its placeholders replaced. None if the host is an IP address or a name
 * with a single label, the port is out of range, or a placeholder is unknown.
 */
export const serverFor = (account: AccountId, named: NamedServer): Option.Option<MailServer> =>
  Option.gen(function* () {
    const host = yield* Option.flatMap(fillPlaceholders(named.host, account), hostNameOf);
    const username = yield* fillPlaceholders(named.username ?? "%EMAILADDRESS%", account);
    const { port, tls } = named;
    const isUsable =
      host.includes(".") && USERNAME.test(username) && Number.isInteger(port) && port >= 1 && port <= 65_535;
    if (!isUsable) return yield* Option.none();
    return { host, port, tls, origin: "account", ...(username === account ? {} : { username }) };
  });

/** Replaces the placeholders of autoconfig documents; returns none if the text has an unknown placeholder. */
const fillPlaceholders = (template: string, account: AccountId): Option.Option<string> => {
  const values = new Map([
    ["%EMAILADDRESS%", account],
    ["%EMAILLOCALPART%", account.slice(0, account.lastIndexOf("@"))],
    ["%EMAILDOMAIN%", domainOf(account)],
  ]);
  const names = template.match(PLACEHOLDER) ?? [];
  return names.every((name) => values.has(name))
    ? Option.some(template.replaceAll(PLACEHOLDER, (name) => values.get(name)!))
    : Option.none();
};
