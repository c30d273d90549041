import { domainOf, KNOWN_PROVIDERS, providerOfDomain } from "../accounts/index.ts";
import type { AccountServers } from "../mail/index.ts";
import type { AccountId } from "../shared/index.ts";
import type { OAuthApp } from "./OAuthApp.ts";

/** The provider whose servers take the tokens of an app for an address whose domain says nothing. */
const PROVIDERS = { google: "google_workspace", microsoft: "microsoft_365", oidc: null };

/** Returns the servers that an app's tokens are for, null where the address has to tell. */
export const serversOfApp = (app: OAuthApp, account: AccountId): AccountServers | null => {
  if (app.servers !== null) return app.servers;
  if (providerOfDomain(domainOf(account)) !== undefined) return null;
  const provider = KNOWN_PROVIDERS.find(({ id }) => id === PROVIDERS[app.provider]);
  if (provider === undefined) return null;
  const origin = "account";
  return { imap: { ...provider.imap, origin }, smtp: { ...provider.smtp, origin } };
};
