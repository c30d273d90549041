import { domainOf, type ServerCandidate } from "@postern/core/accounts";
import type { OAuthApp } from "@postern/core/oauth";
import type { AccountId } from "@postern/core/shared";

/** How an address may be connected. */
export interface AppChoice {
  /** The app by which it has to be; null where it is up to the user. */
  readonly only: OAuthApp | null;
  /** The apps by which it may be. */
  readonly others: ReadonlyArray<OAuthApp>;
  /** Whether a password may open it: a provider with a consent alone takes none. */
  readonly takesPassword: boolean;
  /** Where to make an app password; null where the provider wants none. */
  readonly helpPage: string | null;
}

/** Returns by which apps an address may be connected, given its most likely servers. */
export const appChoice = (
  apps: ReadonlyArray<OAuthApp>,
  account: AccountId,
  { signIn, source }: ServerCandidate,
): AppChoice => {
  const delegated = apps.filter(({ mode }) => mode === "delegated");
  const domain = domainOf(account);
  const providers = signIn.flatMap((way) => (way.kind === "oauth2" ? [way.provider] : []));
  const only =
    delegated.find(({ domains }) => domains.includes(domain)) ??
    delegated.find(({ provider, domains }) => domains.length === 0 && providers.includes(provider)) ??
    null;
  const isOpen = ({ provider, domains, servers }: OAuthApp) =>
    provider === "oidc" && domains.length === 0 && (servers !== null || source === "operator");
  const helpPage = signIn.flatMap((way) => (way.kind === "app_password" ? [way.helpPage] : []))[0] ?? null;
  const takesPassword = signIn.length === 0 || signIn.some(({ kind }) => kind !== "oauth2");
  return { only, others: delegated.filter(isOpen), takesPassword, helpPage };
};
