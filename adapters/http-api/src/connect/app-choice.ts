import { domainOf, type ServerCandidate } from "@postern/core/accounts";
import type { OAuthApp } from "@postern/core/oauth";
import type { AccountId } from "@postern/core/shared";

/** The ways in which an address may be connected. */
export interface AppChoice {
  /** The app that the user has to use; null if the user may choose. */
  readonly only: OAuthApp | null;
  /** Other apps with which the address may be connected. */
  readonly others: ReadonlyArray<OAuthApp>;
  /** Whether the user may use a password. Some providers accept only a consent. */
  readonly takesPassword: boolean;
  /** The page that explains how to create an app password; null if the provider needs none. */
  readonly helpPage: string | null;
  /** The name of the provider, if the provider is known. */
  readonly provider: string | null;
  /** The mail servers to which a password is sent. */
  readonly hosts: ReadonlyArray<string>;
}

/** Returns the apps with which an address may be connected, given its most likely servers. */
export const appChoice = (
  apps: ReadonlyArray<OAuthApp>,
  account: AccountId,
  { signIn, source, provider, imap, smtp }: ServerCandidate,
): AppChoice => {
  const delegated = apps.filter(({ mode }) => mode === "delegated");
  const domain = domainOf(account);
  const providers = signIn.flatMap((way) => (way.kind === "oauth2" ? [way.provider] : []));
  const only =
    delegated.find(({ domains }) => domains.includes(domain)) ??
    delegated.find(({ provider, domains }) => domains.length === 0 && providers.includes(provider)) ??
    null;
  const isOpen = ({ provider: kind, domains, servers }: OAuthApp) =>
    kind === "oidc" && domains.length === 0 && (servers !== null || source === "operator");
  const helpPage = signIn.flatMap((way) => (way.kind === "app_password" ? [way.helpPage] : []))[0] ?? null;
  const takesPassword = signIn.length === 0 || signIn.some(({ kind }) => kind !== "oauth2");
  return {
    only,
    others: delegated.filter(isOpen),
    takesPassword,
    helpPage,
    provider: provider?.name ?? null,
    hosts: [...new Set([imap.host, smtp.host])],
  };
};
