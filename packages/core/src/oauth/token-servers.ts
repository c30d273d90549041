import { domainOf, KNOWN_PROVIDERS } from "../accounts/index.ts";
import { providerOfDomain, type TokenServers } from "../accounts/neighbours.ts";
import type { AccountServers } from "../mail/index.ts";
import { type AccountId, accountIdOf } from "../shared/index.ts";
import { Option } from "effect";
import type { OAuthApp } from "./OAuthApp.ts";
import type { OfferedGrant } from "./OfferedGrant.ts";

/** The provider whose servers accept an app's tokens if the domain of the address publishes no servers. */
const PROVIDERS = { google: "google_workspace", microsoft: "microsoft_365", oidc: null };

/** Returns the servers of an app or of its provider; null if the servers depend on the address. */
const serversOfApp = (app: OAuthApp, account: AccountId): AccountServers | null => {
  if (app.servers !== null) return app.servers;
  const known = providerOfDomain(domainOf(account));
  const takesTokens = known?.signIn.some((way) => way.kind === "oauth2" && way.provider === app.provider) === true;
  const provider = takesTokens ? known : KNOWN_PROVIDERS.find(({ id }) => id === PROVIDERS[app.provider]);
  if (provider === undefined) return null;
  const origin = "account";
  return { imap: { ...provider.imap, origin }, smtp: { ...provider.smtp, origin } };
};

/**
 * Returns the servers that may receive the tokens of a grant for an account (spec 11.2). Servers that a domain
 * publishes get a token only if a user of this domain consented. Otherwise an attacker could request an account at
 * their own domain, and would get the token.
 */
export const tokenServersOf = (
  { app, issued }: Pick<OfferedGrant, "app" | "issued">,
  account: AccountId,
): TokenServers => {
  const user = Option.flatMap(Option.fromNullishOr(issued?.identity?.address), accountIdOf);
  const isOfOtherDomain = Option.exists(user, (address) => domainOf(address) !== domainOf(account));
  return {
    app: app.id,
    named: serversOfApp(app, account),
    mayDiscover: app.mode === "delegated" && !isOfOtherDomain,
  };
};
