import { domainOf } from "../accounts/index.ts";
import { providerOfDomain } from "../accounts/neighbours.ts";
import type { AccountId } from "../shared/index.ts";
import type { OAuthApp } from "./OAuthApp.ts";

const NAMES = { google: "Google", microsoft: "Microsoft", oidc: null };

/** Returns the name of an app for users, which follows "Continue with". */
export const labelOf = ({ label, provider, id }: Pick<OAuthApp, "label" | "provider" | "id">): string =>
  label ?? NAMES[provider] ?? id;

/** Returns the apps with which users sign in (spec 11.3); for an address, only apps that may open mailboxes of its domain. */
export const signInApps = (apps: ReadonlyArray<OAuthApp>, account: AccountId | null): ReadonlyArray<OAuthApp> => {
  const delegated = apps.filter(({ mode }) => mode === "delegated");
  if (account === null) return delegated;
  const domain = domainOf(account);
  const own = delegated.filter(({ domains }) => domains.includes(domain));
  if (own.length > 0) return own;
  const open = delegated.filter(({ domains }) => domains.length === 0);
  const known = providerOfDomain(domain);
  return known === undefined
    ? open
    : open.filter((app) => known.signIn.some((way) => way.kind === "oauth2" && way.provider === app.provider));
};
